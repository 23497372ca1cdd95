import { ChoiceInput } from './choice-input.tsx'
import { CodeInput, JsonInput } from './code-input.tsx'
import { CredentialInput } from './credential-input.tsx'
import { FileInput } from './file-input.tsx'
import type { InputProps } from './input-props.ts'
import { ListInput } from './list-input.tsx'
import { NumberInput } from './number-input.tsx'
import { SwitchInput } from './switch-input.tsx'
import { PasswordInput, TextInput } from './text-input.tsx'

/** By the type of an input; a type that is not here is shown as text, so that its value can be seen and changed. */
const INPUTS: Readonly<Record<string, (props: InputProps) => React.ReactNode>> = {
  array: ListInput,
  boolean: SwitchInput,
  code: CodeInput,
  credential: CredentialInput,
  datagrid: ListInput,
  file: FileInput,
  json: JsonInput,
  number: NumberInput,
  options: ChoiceInput,
  password: PasswordInput,
  string: TextInput,
}

/** An input of a node, made from its declaration. */
export function NodeInputField(props: InputProps) {
  const Input = INPUTS[props.input.type] ?? TextInput
  return <Input {...props} />
}
