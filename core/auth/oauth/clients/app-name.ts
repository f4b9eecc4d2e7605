import { oneLine } from '../../../contracts/one-line'

const lengthMax = 80

/** Returns the name of an app as the app itself states it. */
export const appName = (given: string | null | undefined): string =>
  oneLine(given, lengthMax) || 'Unnamed app'
