import { InputError } from '../cards/input-error.ts'
import type { BuildContext } from '../contract/card.ts'
import { reasonOf } from '../kit/errors.ts'
import { refuseBadCode } from '../openapi/sandbox/refuse-bad-code.ts'

/** Notes for checks of the flow that a part runs code of its author, which has to parse. @param input the input that has it */
export function mayRun(context: Pick<BuildContext, 'beforeUse'>, code: string, input: string): void {
  context.beforeUse?.(async () => {
    try {
      refuseBadCode(code)
    } catch (error) {
      throw new InputError(input, reasonOf(error))
    }
  }, input)
}
