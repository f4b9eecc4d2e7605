/** A name as ClickHouse reads it back, whatever it holds. */
export const quoteName = (name: string): string => `\`${name.replace(/[\\`]/g, (sign) => `\\${sign}`)}\``

/** A string literal. */
export const quoteText = (text: string): string => `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`
