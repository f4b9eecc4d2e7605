import type { IndexDeclaration } from '../contracts/entity'
import { type IconName, iconNames } from '../contracts/icons'
import type { PersonRows } from '../contracts/people'
import type { StateMachine } from '../contracts/states'
import { isPhrase } from '../contracts/words'

/** An object with named values. */
export type Parts = Readonly<Record<string, unknown>>

/** Whether a value is an object with named values. */
export const isMap = (value: unknown): value is Parts =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Whether a value is a text. */
export const isText = (value: unknown): value is string => typeof value === 'string'

const isWording = (value: unknown) => isText(value) || isPhrase(value)
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isNav = (value: unknown) =>
  isMap(value) &&
  isWording(value.label) &&
  Number.isFinite(value.order) &&
  [undefined, ...iconNames].includes(value.icon as IconName | undefined) &&
  [undefined, 'daily', 'setup', 'settings'].includes(value.group as string | undefined) &&
  [undefined, true, false].includes(value.onPhones as boolean | undefined) &&
  (value.count === undefined || typeof value.count === 'function') &&
  Object.keys(value).every((key) => ['label', 'order', 'icon', 'group', 'onPhones', 'count'].includes(key))
const isNoneOrOwner = (value: unknown) => value === undefined || value === 'owner'

/** Whether a value has the parts of a declaration, and no others. */
const isMadeOf = (parts: Parts, value: unknown): boolean =>
  isMap(value) &&
  Object.keys(value).every((key) => Object.hasOwn(parts, key)) &&
  Object.entries(parts).every(([key, isPart]) => (isPart as (part: unknown) => boolean)(value[key]))
const orNone = (isPart: (part: unknown) => boolean) => (part: unknown) => part === undefined || isPart(part)

const indexParts: Readonly<Record<keyof Required<IndexDeclaration>, (value: unknown) => boolean>> = {
  on: isTexts,
  unique: orNone((value) => typeof value === 'boolean'),
  unsafeUniqueAcrossTenants: orNone((value) => value === true),
  where: orNone(isMap),
  ttlSeconds: orNone(Number.isFinite),
}
const isMoves = (value: unknown) => isMap(value) && Object.values(value).every(isTexts)
const stateParts: Readonly<Record<keyof Required<StateMachine>, (value: unknown) => boolean>> = {
  entity: isText,
  field: isText,
  initial: isTexts,
  moves: isMoves,
  stamps: orNone(isMap),
  needs: orNone(isMap),
  clears: orNone(isMap),
}
const peopleParts: Readonly<Record<keyof Required<PersonRows>, (value: unknown) => boolean>> = {
  who: orNone((value) => isMap(value) && Object.values(value).every(Array.isArray)),
  through: orNone(
    (value) => Array.isArray(value) && value.every((one) => isText(one.field) && isText(one.entity)),
  ),
  words: orNone(isTexts),
  erase: (value) => value === 'row' || value === 'plugin' || isMap(value),
  packed: orNone(isTexts),
}
const isSchema = (value: unknown) => isMap(value) && value.kind === 'schema'
const isFunction = (value: unknown) => typeof value === 'function'

const forms = {
  text: [isText, 'a text'],
  texts: [isTexts, 'a list of texts'],
  wording: [isWording, 'a text, or a phrase of defineWords'],
  words: [
    (value) => typeof value === 'function' && isMap((value as { catalog?: unknown }).catalog),
    'made by defineWords',
  ],
  list: [Array.isArray, 'a list'],
  map: [isMap, 'an object'],
  schema: [isSchema, 'a valibot schema'],
  schemas: [(value) => isMap(value) && Object.values(value).every(isSchema), 'an object of valibot schemas'],
  scope: [(value) => isMap(value) && isText(value.by) && isText(value.field), '{ by, field }'],
  indexes: [
    (value) => Array.isArray(value) && value.every((one) => isMadeOf(indexParts, one)),
    'a list of { on: [field, …], unique?, unsafeUniqueAcrossTenants?, where?, ttlSeconds? }',
  ],
  states: [
    (value) => Array.isArray(value) && value.every((one) => isMadeOf(stateParts, one)),
    'a list of { entity, field, initial, moves, stamps?, needs?, clears? }',
  ],
  people: [
    (value) => value === 'nobody' || isMadeOf(peopleParts, value),
    "'nobody', or { who?, through?, words?, erase, packed? }",
  ],
  notice: [
    (value) => isMap(value) && [value.since, value.sunset, value.use].every(isText),
    '{ since, sunset, use }',
  ],
  takes: [
    (value) => isMap(value) && Object.values(value).every((one) => isMap(one) && isText(one.description)),
    'an object of { description, required? }',
  ],
  url: [(value) => value instanceof URL, "a URL, such as new URL('./page.tsx', import.meta.url)"],
  only: [(value) => value === 'owner', "'owner'"],
  yes: [(value) => value === true, 'true'],
  nav: [isNav, '{ label, order, icon?, group?, onPhones?, count? } with an icon of iconNames'],
  actions: [
    (value) =>
      isMap(value) &&
      Object.values(value).every(
        (one) =>
          isMap(one) &&
          isSchema(one.input) &&
          isText(one.auth) &&
          isNoneOrOwner(one.only) &&
          isFunction(one.run),
      ),
    'an object of { input, auth, only?, run }',
  ],
  uploads: [(value) => isMap(value) && isText(value.type) && isFunction(value.load), '{ type, load }'],
  settings: [
    (value) =>
      isMap(value) &&
      isFunction(value.of) &&
      isMap(value.declared) &&
      Object.values(value.declared).every(
        (one) => isMap(one) && isSchema(one.schema) && isText(one.fallback) && isText(one.description),
      ),
    'made by defineSettings',
  ],
  functions: [(value) => isMap(value) && Object.values(value).every(isFunction), 'an object of functions'],
  proposal: [
    (value) =>
      isMap(value) &&
      isText(value.label) &&
      isTexts(value.takes) &&
      isFunction(value.prepare) &&
      isFunction(value.run),
    '{ label, takes, prepare, run }',
  ],
  number: [Number.isFinite, 'a number'],
  function: [isFunction, 'a function'],
  any: [() => true, ''],
} as const satisfies Record<string, readonly [(value: unknown) => boolean, string]>

type FormName = keyof typeof forms

/** What a part of a declaration must be. A `?` at the end means that it is optional. */
export type Form = FormName | `${FormName}?`

/** What every part of a declaration must be. */
export type Forms<T> = Readonly<Record<keyof Required<T>, Form>>

const nameOf = (form: Form) => form.replace('?', '') as FormName

/** Returns what a form requires, in words. */
export const wordsOf = (form: Form): string => forms[nameOf(form)][1]

/** Whether a value has a form. */
export const fits = (form: Form, value: unknown): boolean =>
  (value === undefined && form.endsWith('?')) || forms[nameOf(form)][0](value)
