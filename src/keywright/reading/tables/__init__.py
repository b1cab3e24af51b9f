"""Documents in the rows of tables: CSV, TSV, XLSX, Parquet, JSON Lines, and tables in memory."""
