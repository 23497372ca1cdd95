/** A row as a database gives it: column names as in the schema, numbers, texts, bytes and nulls. */
export type StoredRow = Readonly<Record<string, unknown>>
