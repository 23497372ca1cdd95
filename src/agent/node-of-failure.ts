import { SluiceError } from '../kit/errors.ts'

/** The same failure, with the id of the node in which it happened. A failure that names a node keeps it. */
export function withNodeId<E>(error: E, nodeId: string): E | SluiceError {
  if (!(error instanceof SluiceError) || error.facts.nodeId !== undefined) return error
  return new SluiceError(error.code, { ...error.facts, nodeId }, { cause: error.cause })
}
