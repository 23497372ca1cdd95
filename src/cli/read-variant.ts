import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ComparedDrawing } from '../contract/comparison.ts'
import { reasonOf } from '../kit/errors.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import { Failure } from './failure.ts'

/**
 * A variant as it is typed: `small:chunkSize=600,weight=0.3`, `old:revision=7`, `new:file=flow.json`, or a name alone for the flow as it
 * is. A value is JSON, or else a text.
 *
 * @param directory where `file` is looked for
 * @throws Failure
 */
export async function readVariant(typed: string, directory: string): Promise<ComparedDrawing> {
  const colon = typed.indexOf(':')
  const name = (colon < 0 ? typed : typed.slice(0, colon)).trim()
  const variant: ComparedDrawing = { name }
  const inputs: Record<string, Json> = {}
  const settings = colon < 0 ? '' : typed.slice(colon + 1)
  for (const part of settings.split(/,(?=\s*[\w.-]+=)/).map((one) => one.trim())) {
    if (part === '') continue
    const equals = part.indexOf('=')
    if (equals < 1)
      throw new Failure(
        `The variant ${name} has ${part} instead of INPUT=VALUE`,
        'such as small:chunkSize=600',
      )
    const [key, value] = [part.slice(0, equals), part.slice(equals + 1)]
    if (key === 'revision') variant.revision = wholeNumber(name, value)
    else if (key === 'file') variant.flowData = await drawingIn(path.resolve(directory, value), value)
    else inputs[key] = typedValue(value)
  }
  if (Object.keys(inputs).length > 0) variant.inputs = inputs
  return variant
}

function wholeNumber(variant: string, value: string): number {
  if (!/^[1-9]\d*$/.test(value))
    throw new Failure(`The variant ${variant} has the revision ${value}, which is no whole number`)
  return Number(value)
}

function typedValue(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** The drawing in a file: that of a flow, or one with `flowData`, as `sluice flow export` writes it. */
async function drawingIn(file: string, shown: string): Promise<string> {
  let content: JsonObject
  try {
    content = JSON.parse(await readFile(file, 'utf8')) as JsonObject
  } catch (error) {
    throw new Failure(`The drawing ${shown} cannot be read: ${reasonOf(error)}`)
  }
  const { flowData } = content
  if (typeof flowData === 'string') return flowData
  return JSON.stringify(flowData ?? content)
}
