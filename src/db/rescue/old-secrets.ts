import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DATA_FILES } from '../../contract/data-files.ts'
import type { CredentialData } from '../../contract/credential-store.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { randomToken } from '../../kit/hash.ts'
import { createSecretBox, type SecretBox } from '../../kit/secret-box.ts'
import { openCredential, sealCredential } from '../rows/credential.ts'
import { SECRET_CHECK, opensSealed } from '../secret-check.ts'
import type { Connection } from '../sqlite/connection.ts'
import { readSetting } from '../sqlite/read-setting.ts'
import { STORED_SECRET } from '../sqlite/secret-key.ts'
import { ifReadable } from './if-readable.ts'

type Secret = { text: string; isSetting: boolean }

/** The secrets that may have sealed the credentials of an old database, and the one that seals them from now on. */
export type OldSecrets = {
  chosen: Secret
  /** The sealed values of a credential, sealed anew; undefined where no secret opens them. */
  reseal(credential: { id: string; name: string; kind: string; sealed: string }): string | undefined
}

/**
 * Finds the secrets of a data directory or a backup: the setting SECRET_KEY, the files `secret.key` and `secret.key.next`, and what
 * the first versions stored in the database. The first of them that opens something is used from now on.
 *
 * @param from the data directory, or the file of a backup
 * @throws SluiceError `data_dir_unusable` where a file is there and cannot be read
 */
export function oldSecrets(connection: Connection, from: string, setting: string | undefined): OldSecrets {
  const sealed = sealedTexts(connection)
  const found: Secret[] = [
    ...(setting === undefined ? [] : [{ text: setting, isSetting: true }]),
    ...[
      ...[DATA_FILES.secret, DATA_FILES.nextSecret].map(
        (name) => readText(path.join(from, name)) ?? textInBackup(connection, name),
      ),
      ifReadable(() => readSetting(connection, STORED_SECRET)),
    ].flatMap((text) => (text === undefined ? [] : [{ text, isSetting: false }])),
  ]
  const chosen = found.find(({ text }) => sealed.some((one) => opensSealed(text, one))) ??
    found[0] ?? { text: randomToken(), isSetting: false }
  const boxes = found.map(({ text }) => createSecretBox(text))
  const box = createSecretBox(chosen.text)
  return {
    chosen,
    reseal(credential) {
      const data = opened(boxes, credential)
      return data && sealCredential(box, credential.id, data)
    },
  }
}

function opened(
  boxes: readonly SecretBox[],
  credential: Parameters<OldSecrets['reseal']>[0],
): CredentialData | undefined {
  for (const box of boxes)
    try {
      return openCredential(box, credential.id, credential, [])
    } catch {
      // Sealed with another secret, or damaged.
    }
  return undefined
}

/** The check of the secret, and the credentials: what only the right secret opens. */
const sealedTexts = (connection: Connection): string[] => [
  ...(ifReadable(() => [readSetting(connection, SECRET_CHECK)].filter((text) => text !== undefined)) ?? []),
  ...(ifReadable(() =>
    connection.all<{ sealed: string }>('SELECT sealed FROM credentials').map(({ sealed }) => sealed),
  ) ?? []),
]

function readText(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    throw new SluiceError('data_dir_unusable', { path: file, reason: reasonOf(error) }, { cause: error })
  }
}

/** A small file of a backup. */
function textInBackup(connection: Connection, name: string): string | undefined {
  const found = ifReadable(() =>
    connection.get(
      `SELECT content FROM backup_pieces JOIN backup_files ON backup_files.id = file WHERE path = ? AND place = 0`,
      name,
    ),
  )
  return (
    found &&
    (Buffer.from(found.content as Uint8Array)
      .toString('utf8')
      .trim() ||
      undefined)
  )
}
