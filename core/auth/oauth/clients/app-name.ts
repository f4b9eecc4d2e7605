import { oneLine } from '../../../contracts/one-line'

const lengthMax = 80

/** Returns the name that an app gives itself. */
export const appName = (given: string | null | undefined): string =>
  oneLine(given, lengthMax) || 'Unnamed app'
