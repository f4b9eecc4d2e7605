import {
  type ActAudit,
  type ActRecord,
  actCommands,
  defineAct,
  defineCommand,
  field,
  type OwnerContext,
  requireRow,
} from 'renown'
import { cleanName } from 'renown/records'
import * as v from 'valibot'
import { Agency } from '../records/foreign'
import { brandingOf, removeBranding, setBranding } from './branding'
import { logoBytesMax } from './logo-limits'

/** Acts on the agency whose reports they are. */
const onAgency: ActRecord<typeof Agency> = {
  entity: Agency,
  field: 'agency_id',
  called: 'agency',
  ofPerson: ({ workspace }) => workspace.agency_id,
}

const audited = (what: string): ActAudit<typeof Agency, Record<never, never>> => ({
  action: 'workspace.branding',
  what,
})

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

/** Sets how the reports of an agency look. A form sends all of it, and an empty field removes a part. */
export const setBrandingAct = defineAct({
  name: 'branding set',
  summary: 'Set the logo, colors and sender of the reports of an agency. What you leave out stays',
  on: onAgency,
  fields: {
    sender_name: v.optional(
      v.pipe(
        v.string(),
        v.transform(cleanName),
        v.maxLength(100, 'Use at most 100 characters.'),
        v.description('Name of the sender. Empty: the name of the agency'),
      ),
    ),
    color: v.optional(field.text('Color on white, such as #0f766e. Empty: none')),
    color_dark: v.optional(field.text('Color on dark pages, such as #2dd4bf. Empty: none')),
    logo: v.optional(field.text('Logo')),
    no_logo: v.optional(field.flag('Remove the logo'), false),
    shows_renown: v.optional(
      field.oneOf(['yes', 'no'], 'Whether reports say that they were made with Renown'),
    ),
  },
  forms: {
    sender_name: v.pipe(
      v.optional(v.string(), ''),
      v.transform(cleanName),
      v.maxLength(100, 'Use at most 100 characters.'),
    ),
    color: v.optional(v.string(), ''),
    color_dark: v.optional(v.string(), ''),
    shows_renown: v.optional(v.picklist(['yes', 'no']), 'no'),
  },
  upload: { field: 'logo', bytesMax: logoBytesMax, called: 'a PNG or JPEG picture' },
  label: 'Save branding',
  done: { saved: 'The branding was saved. Reports that are made from now on have it.' },
  only: 'owner',
  refusesDemo: true,
  undo: 'branding remove',
  audit: audited('Branding of reports changed'),
  async run(ctx, { row: { id }, input: { logo, no_logo, shows_renown, ...texts } }) {
    await setBranding(ctx, id, {
      ...texts,
      ...(shows_renown === undefined ? {} : { shows_renown: shows_renown === 'yes' }),
      logo: logo === undefined ? (no_logo ? null : undefined) : Buffer.from(logo, 'base64'),
    })
    return { answer: await shown(ctx, id) }
  },
})

const show = defineCommand({
  name: 'branding show',
  summary: 'Show the logo, colors and sender of the reports of an agency',
  input: v.strictObject({ agency_id: field.text('Whose reports') }),
  positional: ['agency_id'],
  async run(ctx, { agency_id: id }) {
    await requireRow(ctx.rows(Agency), 'agency', id)
    return shown(ctx, id)
  },
})

const remove = defineAct({
  name: 'branding remove',
  summary: 'Remove the branding of an agency. Reports that were made with it keep it',
  on: onAgency,
  isShellOnly: true,
  audit: audited('Branding of reports removed'),
  async run(ctx, { row: { id } }) {
    const removed = (await removeBranding(ctx, id)) > 0
    return { answer: { agency_id: id, removed }, isChanged: removed }
  },
})

/** The commands of branding. */
export const brandingCommands = [show, ...actCommands([setBrandingAct, remove])]
