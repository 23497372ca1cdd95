import type { CheckedEngine } from '../contract/engine-check.ts'
import { askLine, canAsk } from './ask-person.ts'
import { readFields } from './credential-fields.ts'
import { UsageError } from './failure.ts'
import type { World } from './world.ts'

/**
 * The values of the credential for an engine: of SLUICE_ENGINE_CREDENTIAL, else typed on the terminal, else none. The fields with the address
 * are not among them.
 *
 * @param given the kind of credential; the first that the engine takes unless given
 * @throws UsageError for a kind that the engine does not take
 * @throws Failure for an unknown field; no message repeats a value
 */
export async function engineCredential(
  world: World,
  engine: CheckedEngine,
  given: string | undefined,
): Promise<Record<string, string>> {
  const [{ CHECKABLE_ENGINES }, { findCredentialKind }] = await Promise.all([
    import('../nodes/checkable-engines.ts'),
    import('../nodes/credential-kinds.ts'),
  ])
  const { credentials, addressFields } = CHECKABLE_ENGINES[engine]
  const known = credentials.find((kind) => kind === (given ?? credentials[0]))
  if (!known) throw new UsageError(`--credential: ${engine} takes ${credentials.join(' or ')}`)
  const fieldsOf = (kind: string) =>
    findCredentialKind(kind).fields.filter(({ name }) => !addressFields.includes(name))
  const { SLUICE_ENGINE_CREDENTIAL: text } = world.environment
  if (text) {
    const kinds = given === undefined ? credentials : [known]
    const names = kinds.flatMap(fieldsOf).map(({ name }) => name)
    return readFields(text, {
      names: [...new Set(names)],
      of: `for ${engine}`,
      from: 'SLUICE_ENGINE_CREDENTIAL',
    })
  }
  if (!canAsk(world)) return {}
  const values: Record<string, string> = {}
  for (const { name, label, secret } of fieldsOf(known)) {
    const value = (await askLine(world, `${label} (may be left empty): `, { secret })).trim()
    if (value !== '') values[name] = value
  }
  return values
}
