import { parseStoredFiles } from '../../src/sources/stored-files.ts'

/** What the server reads from a file input that the studio wrote. */
export const parseStoredFilesOfServer = (value: string) => parseStoredFiles(value, 'node_0')
