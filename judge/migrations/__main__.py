from judge.migrations import migrate

migrate()
