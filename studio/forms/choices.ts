import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { JsonObject } from '../drawing/flow-file.ts'
import { messageOf } from '../server/call.ts'
import { loadChoices } from '../server/nodes.ts'
import type { InputProps } from './input-props.ts'

/**
 * The choices of an input that the server finds by the other values. They are loaded when `ask` is called, with the values
 * of that moment: values that change later do not load them again until a person comes back to the input.
 */
export function useChoices({ input, place }: Pick<InputProps, 'input' | 'place'>) {
  const [asked, setAsked] = useState<JsonObject>()
  const { kind = '', values = {} } = place ?? {}
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['choices', kind, input.loadMethod, asked],
    queryFn: () => loadChoices(kind, input.loadMethod ?? '', asked ?? {}),
    enabled: asked !== undefined,
    staleTime: 60_000,
    retry: false,
  })
  const ask = () => {
    // Older files hold the id of a credential under another name.
    const { [input.name]: _, FLOWISE_CREDENTIAL_ID: older, ...others } = values
    setAsked(older ? { ...others, credential: older } : others)
  }
  const askAgain = () => {
    ask()
    if (asked !== undefined) void refetch()
  }
  return { choices: data, failure: error ? messageOf(error) : undefined, isFetching, ask, askAgain }
}
