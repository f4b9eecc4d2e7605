import type { AnyPage } from '../contracts/page'
import type { PublicPageDeclaration } from '../contracts/public-page'

/** Addresses under /app that are not pages. */
const reserved = ['assets', 'data', 'events']

/** Returns what is wrong with a page and its actions. */
export function pageFaults({
  path,
  module,
  actions = {},
  submit,
  record,
  cards,
  isStatic,
}: AnyPage): string[] {
  const at = `page ${path}`
  const faults: string[] = []
  if (reserved.includes(path.split('/')[2] ?? '')) faults.push(`${at} is under an address that core uses`)
  if (module.protocol !== 'file:' || !/\.[jt]sx$/.test(module.pathname))
    faults.push(`${at}: module must be a .tsx or .jsx file`)
  if (cards && !(record && isStatic)) faults.push(`${at}: a page with cards must have record and isStatic`)
  for (const [name, { input, auth }] of Object.entries({ ...actions, ...(submit && { submit }) })) {
    if (input.type !== 'strict_object')
      faults.push(`${at}: the input of action ${name} must be a v.strictObject`)
    if (auth !== 'session' && auth !== 'recent')
      faults.push(`${at}: auth of action ${name} must be session or recent`)
  }
  return faults
}

/** Returns what is wrong with a page that needs no account. */
export function publicPageFaults(name: string, { page, files }: PublicPageDeclaration): string[] {
  const at = `public page ${name}`
  if (!page && !files) return [`${at} has neither a page nor files`]
  const { module, submit } = page ?? {}
  const isModule = !module || (module.protocol === 'file:' && /\.[jt]sx$/.test(module.pathname))
  return [
    ...(isModule ? [] : [`${at}: module must be a .tsx or .jsx file`]),
    ...(submit && submit.input.type !== 'strict_object'
      ? [`${at}: the input of its form must be a v.strictObject`]
      : []),
  ]
}
