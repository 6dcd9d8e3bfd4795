FROM python:3.11-slim-bookworm
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap libseccomp2 \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /five-lines
COPY pyproject.toml constraints.txt ./
RUN pip install --no-cache-dir --constraint constraints.txt .
COPY . .
