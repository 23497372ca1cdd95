/** Whether the window is as narrow as that of a telephone; `@media (max-width: 640px)` of the styles is the same. */
export const isNarrow = (): boolean => matchMedia('(max-width: 640px)').matches
