import { SluiceError } from '../../kit/errors.ts'
import { didYouMean } from '../../kit/suggest.ts'

/** The row with this id or name. @throws SluiceError if there is none, or several have the name */
export function namedRow<R extends { id: string; name: string }>(
  key: string,
  text: string,
  rows: readonly R[],
  missing: 'key_not_found' | 'credential_not_found',
): R {
  const byId = rows.find(({ id }) => id === text)
  if (byId) return byId
  const byName = rows.filter(({ name }) => name === text)
  if (byName.length > 1)
    throw new SluiceError('setting_invalid', {
      key,
      reason: `${byName.length} have the name ${text}: give an id, ${byName.map(({ id }) => id).join(', ')}`,
    })
  if (byName[0]) return byName[0]
  const hint = didYouMean(
    text,
    rows.map(({ name }) => name),
  )
  throw new SluiceError(missing, { id: text, ...(hint === undefined ? {} : { hint }) })
}
