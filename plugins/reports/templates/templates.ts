import { type Extensions, refusedField } from 'renown'
import { reportSection } from './section'
import { type ReportTemplate, reportTemplate } from './template'

type Ctx = { readonly extensions: Extensions }

/** Returns the kinds of reports whose first section is loaded, by `template`. */
export function templatesOf(ctx: Ctx): readonly ReportTemplate[] {
  const loaded = new Set(ctx.extensions(reportSection).map(({ name }) => name))
  return ctx
    .extensions(reportTemplate)
    .filter(({ sections: [first = ''] }) => loaded.has(first))
    .toSorted((a, b) => (a.template < b.template ? -1 : 1))
}

/** Returns the kinds of reports about clients, which people and agents choose from. */
export const clientTemplatesOf = (ctx: Ctx): readonly ReportTemplate[] =>
  templatesOf(ctx).filter(({ about }) => about !== 'prospect')

/** Returns the kind of report about clients with this name. Throws a Refusal that lists the names if there is none. */
export function templateNamed(ctx: Ctx, name: string): ReportTemplate {
  const all = clientTemplatesOf(ctx)
  const found = all.find(({ template }) => template === name)
  if (found) return found
  const accepted = all.map(({ template }) => template)
  throw refusedField('template', `template must be one of ${accepted.join(', ')}.`)
}
