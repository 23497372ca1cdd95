import { reasonOf } from '../../kit/errors.ts'
import { refuseBadCode } from '../sandbox/refuse-bad-code.ts'
import { insteadOfModule, missingModules } from '../sandbox/required-modules.ts'
import type { WrittenTool } from './code-tool.ts'
import { readToolRows } from './tool-rows.ts'

/** Why a custom tool cannot run: the part of it, a sentence, and what to use where this server lacks what it needs. */
export type ToolProblem = { part: 'schema' | 'func'; message: string; instead: string | null }

/** All that keeps a custom tool from running. Its code is read and never run. */
export function toolProblems({ schema, func }: Pick<WrittenTool, 'schema' | 'func'>): ToolProblem[] {
  return [
    ...refusals('schema', 'the schema is none: ', () => readToolRows(schema)),
    ...(func.trim() === ''
      ? [{ part: 'func' as const, message: 'it has no code', instead: null }]
      : refusals('func', '', () => refuseBadCode(func))),
    ...missingModules(func).map((name) => ({
      part: 'func' as const,
      message: `the code requires the module ${name}`,
      instead: insteadOfModule(name),
    })),
  ]
}

function refusals(part: ToolProblem['part'], before: string, look: () => unknown): ToolProblem[] {
  try {
    look()
    return []
  } catch (error) {
    return [{ part, message: `${before}${reasonOf(error)}`, instead: null }]
  }
}
