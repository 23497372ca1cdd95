import { SluiceError } from '../kit/errors.ts'

/** The code of a failure, for a label or an attribute. */
export const codeOf = (error: unknown): string => (error instanceof SluiceError ? error.code : 'internal')
