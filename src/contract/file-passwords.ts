/**
 * The passwords that a request brings for its files, by the name of the file; {@link ANY_FILE} is for all that are not named. They
 * live as long as the request: a job has them in its encrypted request until it ends, and nothing else stores them.
 */
export type FilePasswords = Readonly<Record<string, string>>

/** The key of the password for all files that have none of their own. */
export const ANY_FILE = '*'
