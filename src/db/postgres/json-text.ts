/**
 * A column with JSON text as a value of type `json`, in SQL. The type reads no escape of U+0000, which JSON allows: it becomes U+FFFD.
 */
export const jsonOf = (column: string): string => `replace(${column}, '\\u0000', '\\ufffd')::json`
