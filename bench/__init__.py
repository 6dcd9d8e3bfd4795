"""Speed and memory of verdicts, as ratios side by side in one run; machines differ, ratios less so."""
