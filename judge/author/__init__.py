"""For those who write exercises: `new` makes a folder that judges, `verify` says what is wrong with one, `mutate`
measures how many wrong programs its hidden suite lets through."""
