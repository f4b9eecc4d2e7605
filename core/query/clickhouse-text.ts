/** Returns a name quoted for ClickHouse, whatever it contains. */
export const quoteName = (name: string): string => `\`${name.replace(/[\\`]/g, (sign) => `\\${sign}`)}\``

/** Returns a quoted string literal. */
export const quoteText = (text: string): string => `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`
