import { readFile } from 'node:fs/promises'
import { defineCommand, field, messageOf, type OwnerContext, Refusal, refusedField } from 'renown'
import { cleanName } from 'renown/records'
import * as v from 'valibot'
import { Agency } from '../records/foreign'
import { brandingOf, removeBranding, setBranding } from './branding'

const agency_id = field.text('Whose reports')

async function requireAgency(ctx: OwnerContext, id: string): Promise<void> {
  if (!(await ctx.rows(Agency).get(id))) throw new Refusal('not_found', `There is no agency ${id}.`)
}

const shown = async (ctx: OwnerContext, id: string) => {
  const branding = await brandingOf(ctx, id)
  return {
    agency_id: id,
    sender_name: branding?.sender_name ?? null,
    color: branding?.color ?? null,
    color_dark: branding?.color_dark ?? null,
    shows_renown: branding?.shows_renown ?? null,
    logo: branding?.logo ? `${branding.logo.width} × ${branding.logo.height} pixels` : null,
  }
}

const set = defineCommand({
  name: 'branding set',
  summary: 'Set the logo, colors and sender of the reports of an agency. What you leave out stays',
  input: v.strictObject({
    agency_id,
    sender_name: v.optional(
      v.pipe(
        v.string(),
        v.transform(cleanName),
        v.maxLength(100, 'at most 100 characters'),
        v.description('Name of the sender. Empty: the name of the agency'),
      ),
    ),
    color: v.optional(field.text('Color on white, such as #0f766e. Empty: none')),
    color_dark: v.optional(field.text('Color on dark pages, such as #2dd4bf. Empty: none')),
    logo: v.optional(field.text('Path of a PNG or JPEG file. Empty: none')),
    shows_renown: v.optional(
      field.oneOf(['yes', 'no'], 'Whether reports say that they were made with Renown'),
    ),
  }),
  positional: ['agency_id'],
  async run(ctx, { agency_id: id, logo, shows_renown, ...texts }) {
    await requireAgency(ctx, id)
    await setBranding(ctx, id, {
      ...texts,
      ...(shows_renown === undefined ? {} : { shows_renown: shows_renown === 'yes' }),
      ...(logo === undefined ? {} : { logo: logo === '' ? null : await fileAt(logo) }),
    })
    return shown(ctx, id)
  },
})

const fileAt = (path: string): Promise<Uint8Array> =>
  readFile(path).catch((error) => {
    throw refusedField('logo', `The file ${path} cannot be read: ${messageOf(error)}`)
  })

const show = defineCommand({
  name: 'branding show',
  summary: 'Show the logo, colors and sender of the reports of an agency',
  input: v.strictObject({ agency_id }),
  positional: ['agency_id'],
  async run(ctx, { agency_id: id }) {
    await requireAgency(ctx, id)
    return shown(ctx, id)
  },
})

const remove = defineCommand({
  name: 'branding remove',
  summary: 'Remove the branding of an agency. Reports that were made with it keep it',
  input: v.strictObject({ agency_id }),
  positional: ['agency_id'],
  async run(ctx, { agency_id: id }) {
    await requireAgency(ctx, id)
    return { agency_id: id, removed: (await removeBranding(ctx, id)) > 0 }
  },
})

/** The commands of branding. */
export const brandingCommands = [set, show, remove]
