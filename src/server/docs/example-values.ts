/** Values that examples of many fields share. */
export const EXAMPLE_ID = '5f6a9c1e-6f0e-4a53-9d7b-0d8f4f6f2b11'
export const EXAMPLE_MOMENT = '2026-01-31T09:00:00.000Z'
