/** Ids of the ends of lines on the canvas: plugs have the name of their input. */
export const INPUT_HANDLE = 'in'
export const OUTPUT_HANDLE = 'out'

/** The number of the way out of a step. */
export const outputOfHandle = (handle: string | null | undefined): number =>
  Number(/^out-(\d+)$/.exec(handle ?? '')?.[1] ?? 0)
