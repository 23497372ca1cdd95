import { createCodeRunner } from './run-code.ts'

/** Runs the code of all flows. Threads start with the first code, and end when they are idle. */
export const codeRunner = createCodeRunner()
