import type { CredentialData, CredentialRow } from '../../contract/credential-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { SecretBox } from '../../kit/secret-box.ts'
import type { StoredRow } from './stored-row.ts'

/** The least time between two stored uses of a credential, in milliseconds. */
export const CREDENTIAL_USE_EVERY_MS = 300_000

/** The columns of a {@link CredentialRow}. */
export const CREDENTIAL_COLUMNS = 'id, name, kind, created_at, updated_at, last_used_at'

export function credentialFromRow(row: StoredRow): CredentialRow {
  return {
    id: row.id as string,
    name: row.name as string,
    kind: row.kind as string,
    createdAt: row.created_at as number,
    updatedAt: row.updated_at as number,
    lastUsedAt: row.last_used_at as number | null,
  }
}

/** The sealed text includes the id, so data that was moved to another row is refused. */
export const sealCredential = (box: SecretBox, id: string, data: CredentialData): string =>
  box.seal(JSON.stringify({ id, data }))

/**
 * The values of a credential.
 *
 * @param row its row, or undefined where there is none
 * @param kinds the accepted kinds; any where the list is empty
 * @throws SluiceError `credential_not_found`, `credential_wrong_kind`, `secret_unreadable`
 */
export function openCredential(
  box: SecretBox,
  id: string,
  row: { sealed: string; name: string; kind: string } | undefined,
  kinds: readonly string[],
): CredentialData {
  if (row === undefined) throw new SluiceError('credential_not_found', { id })
  const { sealed, name, kind } = row
  if (kinds.length > 0 && !kinds.includes(kind))
    throw new SluiceError('credential_wrong_kind', {
      node: 'that uses it',
      wanted: kinds.join(' or '),
      name,
      kind,
    })
  const held = JSON.parse(box.open(sealed)) as { id: string; data: CredentialData }
  if (held.id !== id) throw new SluiceError('secret_unreadable')
  return held.data
}
