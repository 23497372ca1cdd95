/** The prompts to begin with, from the settings of the chat window: `{"0": {"prompt": "…"}}`. */
export function starterPrompts(setting: unknown): string[] {
  if (typeof setting !== 'object' || setting === null) return []
  return Object.values(setting).flatMap((one: unknown) => {
    const prompt = typeof one === 'object' && one !== null && 'prompt' in one ? one.prompt : undefined
    return typeof prompt === 'string' && prompt.trim() !== '' ? [prompt] : []
  })
}

/** A field of the form that an agent flow begins with. */
export type FormInput = { name: string; label: string; type: string; options: string[] }
export type StartForm = { title: string; description: string; inputs: FormInput[] }

/** The form that an agent flow begins with, from its public settings; undefined where it begins with a question. */
export function startForm(flowData: string | undefined): StartForm | undefined {
  if (!flowData) return undefined
  const { nodes } = JSON.parse(flowData) as { nodes: { data: { inputs: Record<string, unknown> } }[] }
  const inputs = nodes[0]?.data.inputs
  if (inputs?.startInputType !== 'formInput') return undefined
  const types =
    typeof inputs.formInputTypes === 'string' ? readList(inputs.formInputTypes) : inputs.formInputTypes
  return {
    title: String(inputs.formTitle ?? ''),
    description: String(inputs.formDescription ?? ''),
    inputs: (Array.isArray(types) ? (types as Record<string, unknown>[]) : []).map(
      ({ name, label, type, addOptions }) => ({
        name: String(name),
        label: String(label ?? name),
        type: String(type ?? 'string'),
        options: (Array.isArray(addOptions) ? addOptions : []).map((one: unknown) =>
          String(typeof one === 'object' && one !== null && 'option' in one ? one.option : one),
        ),
      }),
    ),
  }
}

function readList(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return []
  }
}
