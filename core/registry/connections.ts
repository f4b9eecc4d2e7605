import * as v from 'valibot'
import type { PluginDeclaration } from '../contracts/plugin'
import { settings as coreSettings } from '../contracts/settings'

const words = v.pipe(v.string(), v.minLength(1, 'a text that is not empty'))
const run = v.function('a function')

const contract = v.looseObject({
  label: words,
  addedVia: v.optional(v.picklist(['gbp_oauth'])),
  account: v.strictObject({
    one: v.pipe(v.string(), v.regex(/^[A-Za-z]{1,40}$/, 'letters only')),
    many: v.pipe(v.string(), v.regex(/^[A-Za-z]{1,40}$/, 'letters only')),
  }),
  consent: v.optional(
    v.strictObject({
      needs: v.array(v.string()),
      address: run,
      exchange: run,
      about: words,
      setup: words,
      redirectHint: words,
      connected: words,
      choice: v.optional(
        v.strictObject({ list: run, declined: run, permissions: v.array(v.string()), emptyHint: words }),
      ),
      failures: v.optional(
        v.record(
          v.string(),
          v.strictObject({
            words: v.optional(words),
            hint: v.optional(words),
            isAddress: v.optional(v.boolean()),
          }),
        ),
      ),
    }),
  ),
  tokenFile: v.optional(
    v.strictObject({
      kind: v.picklist(['access', 'refresh']),
      called: words,
      accountId: words,
      refusal: v.optional(run),
    }),
  ),
})

/**
 * Returns what is wrong with the connections of a plugin: missing parts, undeclared settings, tokens that cannot be
 * renewed.
 */
export const connectionFaults = (plugin: PluginDeclaration): string[] =>
  (plugin.connections ?? []).flatMap((declared) => {
    const at = `${plugin.name}: connection ${declared.provider}`
    const read = v.safeParse(contract, declared)
    if (!read.success)
      return read.issues.map((issue) => `${at}: ${v.getDotPath(issue) ?? 'it'}: ${issue.message}`)
    const known = { ...coreSettings, ...plugin.settings?.declared }
    const unknown = (declared.consent?.needs ?? []).filter((name) => !Object.hasOwn(known, name))
    const faults = unknown.map((name) => `${at}: needs setting ${name}, which the plugin does not declare`)
    if (declared.tokenFile?.kind === 'refresh' && !declared.renew)
      faults.push(`${at}: has a refresh token but no renew function`)
    if (!declared.consent && !declared.tokenFile)
      faults.push(`${at}: declare consent or tokenFile, so that people can connect an account`)
    return faults
  })
