import { JsonExcess, logSampleMax, parseJson } from 'renown/contracts'
import { isRecord } from '../parse/formats/text/reading'

/** Returns the lines of a sample. A JSON array counts as its elements, and an object over several lines as one line. */
export function linesOfSample(text: string): string[] {
  const lines = (wholeIn(text) ?? text.split('\n')).map((line) => line.trim()).filter((line) => line !== '')
  return lines.slice(0, logSampleMax.lines)
}

function wholeIn(text: string): string[] | null {
  if (!text.includes('\n') && !text.trimStart().startsWith('[')) return null
  try {
    const value = parseJson(text)
    if (Array.isArray(value)) return value.map((one) => JSON.stringify(one))
    return isRecord(value) ? [JSON.stringify(value)] : null
  } catch (error) {
    if (error instanceof JsonExcess || error instanceof SyntaxError) return null
    throw error
  }
}
