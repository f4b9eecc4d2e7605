import type { Fault } from '../contracts/errors'

const faultsMax = 20
const charactersMax = 16 * 1024
const allowedMax = 200
const textMax = 300

/** Returns at most 20 errors and about 16 KiB of them, so that an answer is never larger than its request needs. */
export function boundedFaults(faults: readonly Fault[]): readonly Fault[] {
  let left = charactersMax
  const told: Fault[] = []
  for (const fault of faults.slice(0, faultsMax)) {
    const bounded = boundedFault(fault)
    left -= JSON.stringify(bounded).length
    if (left < 0 && told.length > 0) break
    told.push(bounded)
  }
  return told
}

/** Cuts a sentence that is too long. */
export const boundedText = (text: string, max = 1_000): string =>
  text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text

function boundedFault({ pointer, parameter, header, message, allowed, ...rest }: Fault): Fault {
  return {
    ...(pointer === undefined ? {} : { pointer: boundedText(pointer, textMax) }),
    ...(parameter === undefined ? {} : { parameter: boundedText(parameter, textMax) }),
    ...(header === undefined ? {} : { header }),
    ...rest,
    message: boundedText(message, textMax),
    ...(allowed === undefined ? {} : { allowed: allowed.slice(0, allowedMax) }),
  }
}
