import { maskedError } from '../kit/masked-error.ts'
import type { SecretMask } from '../kit/secret-mask.ts'
import type { Performer } from './performer.ts'

/** Masks secrets in failures of jobs, which are stored and shown. */
export const maskedPerformer = (performer: Performer, mask: SecretMask): Performer => ({
  ...performer,
  run: (request, task) =>
    performer.run(request, task).catch((error: unknown) => {
      throw maskedError(error, mask)
    }),
})
