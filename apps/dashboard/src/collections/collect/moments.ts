// Moments as the public routes write them, in the one form that the screens show.

/** `2026-05-31 18:00:00`, which is West Africa Time, and `2026-05-02T07:00:00.000+0000`. */
export const isoOf = (text: string): string =>
  text.includes(' ') ? `${text.replace(' ', 'T')}+01:00` : text.replace('+0000', 'Z')

/** Of a field for day and time, which people read as West Africa Time: `2026-05-31T18:00`. */
export const momentOf = (field: string): string => `${field.replace('T', ' ')}:00`
