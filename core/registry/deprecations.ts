import type { Deprecation } from '../contracts/deprecation'
import type { PluginDeclaration } from '../contracts/plugin'
import { isDay } from '../contracts/values'
import { type Field, fieldsOf, type Shape, shapeOf } from '../kit/fields'

/** Shortest time between an announcement and the removal, in months. */
const noticeMonths = 12

/** Returns what is wrong with the deprecations of a plugin: each needs two dates a year apart, and a replacement. */
export function deprecationFaults({ entities = [], operations = [] }: PluginDeclaration): string[] {
  const found: [string, Deprecation | undefined][] = []
  for (const entity of entities) {
    found.push([`entity ${entity.name}`, entity.deprecated])
    for (const field of fieldsOf(entity)) found.push(...withEntries(entity.name, field))
  }
  for (const { name, deprecated, input, output } of operations) {
    found.push([`operation ${name}`, deprecated])
    for (const schema of [input, output]) {
      for (const field of schema ? (shapeOf(schema).fields ?? []) : [])
        found.push(...withEntries(name, field))
    }
  }
  return found.flatMap(([at, deprecation]) => {
    const fault = deprecation && deprecationFault(deprecation)
    return fault ? [`${at}: ${fault}`] : []
  })
}

/** Returns why an announcement is invalid, or undefined. */
function deprecationFault({ since, sunset, use }: Deprecation): string | undefined {
  if (!isDay(since) || !isDay(sunset)) return 'deprecated: since and sunset are days, YYYY-MM-DD'
  if (sunset < earliestSunset(since))
    return `deprecated: sunset ${sunset} is less than ${noticeMonths} months after ${since}`
  if (use.trim() === '') return 'deprecated: use does not name a replacement'
}

/** Returns the first day on which something announced on a day may be removed. */
function earliestSunset(since: string): string {
  const day = new Date(`${since}T00:00:00.000Z`)
  day.setUTCMonth(day.getUTCMonth() + noticeMonths)
  return day.toISOString().slice(0, 10)
}

/** Returns the deprecation that takes effect first, or undefined if there is none. */
export function earliestRemoval(all: readonly (Deprecation | undefined)[]): Deprecation | undefined {
  const announced = all.filter((one) => one !== undefined)
  return announced.sort((a, b) => (a.sunset < b.sunset ? -1 : 1))[0]
}

const withEntries = (at: string, field: Field): [string, Deprecation | undefined][] => [
  [`${at}.${field.name}`, field.deprecated],
  ...inside(field).flatMap((entry) => withEntries(`${at}.${field.name}`, entry)),
]

const inside = (shape: Shape): readonly Field[] => shape.fields ?? shape.element?.fields ?? []
