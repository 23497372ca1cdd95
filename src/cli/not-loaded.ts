/** How many files failed or had no text: `8 failed, 3 empty`; an empty text where all were loaded. */
export const notLoaded = ({ failed, empty }: { failed: number; empty: number }): string =>
  [failed > 0 && `${failed.toLocaleString('en')} failed`, empty > 0 && `${empty.toLocaleString('en')} empty`]
    .filter((part) => part !== false)
    .join(', ')
