import { nullIfConflict, type OwnerContext, type Row, refusedField, type SystemReads, where } from 'renown'
import { cleanName } from 'renown/records'
import * as v from 'valibot'
import { AgencyBranding, BrandLogo } from '../records/AgencyBranding'
import { readableColor } from './contrast'
import { rewrittenLogo } from './logo'

/** How the reports of an agency look. */
export interface Branding {
  readonly sender_name?: string
  /** Color on white, `#rrggbb`. Its contrast on white was checked. */
  readonly color?: string
  /** Color on dark pages, `#rrggbb`. */
  readonly color_dark?: string
  /** Whether reports say that they were made with Renown. */
  readonly shows_renown: boolean
  readonly logo?: { readonly hash: string; readonly width: number; readonly height: number }
}

const color = v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/))
const side = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000))

/** The schema of the branding in the frozen data of a report: `agency.branding`. */
export const frozenBranding = v.looseObject({
  sender_name: v.optional(v.pipe(v.string(), v.maxLength(200))),
  color: v.optional(color),
  color_dark: v.optional(color),
  shows_renown: v.boolean(),
  logo: v.optional(
    v.looseObject({ hash: v.pipe(v.string(), v.hash(['sha256'])), width: side, height: side }),
  ),
})

/** The branding of one report, with the agency that has the logo. */
export interface ReportBrand extends Branding {
  readonly agency_id: string
}

type Ctx = Pick<OwnerContext, 'rows'>
/** What reads a branding: a page or a system context. */
type Reads = Pick<SystemReads, 'rows'>

/** Returns the branding of an agency as it is now. Null if it has none. A report freezes it when its data is collected. */
export async function brandingOf(ctx: Reads, agency_id: string): Promise<Branding | null> {
  const row = await ctx.rows(AgencyBranding).get(agency_id)
  if (!row) return null
  const { sender_name, color: onWhite, color_dark, shows_renown } = row
  const logo = row.logo === undefined ? null : await logoRow(ctx, agency_id, row.logo)
  return {
    ...(sender_name === undefined ? {} : { sender_name }),
    ...(onWhite === undefined ? {} : { color: onWhite }),
    ...(color_dark === undefined ? {} : { color_dark }),
    shows_renown,
    ...(logo ? { logo: { hash: logo.hash, width: logo.width, height: logo.height } } : {}),
  }
}

/** The picture of a logo. */
export interface BrandPicture {
  readonly type: 'image/png' | 'image/jpeg'
  /** Its bytes in base64. */
  readonly base64: string
  readonly width: number
  readonly height: number
}

/** Returns the logo of a report. Null if it has none. */
export async function pictureOf(
  ctx: Reads,
  brand: Pick<ReportBrand, 'agency_id' | 'logo'> | undefined,
): Promise<BrandPicture | null> {
  if (!brand?.logo) return null
  const row = await logoRow(ctx, brand.agency_id, brand.logo.hash)
  return row && { type: row.type, base64: row.bytes, width: row.width, height: row.height }
}

/** Returns a logo as an address that contains it. */
export const dataUrlOf = (picture: BrandPicture | null): string | null =>
  picture && `data:${picture.type};base64,${picture.base64}`

async function logoRow(ctx: Reads, agency_id: string, hash: string): Promise<Row<typeof BrandLogo> | null> {
  const own = where.and(where.eq('agency_id', agency_id), where.eq('hash', hash))
  const [row] = await ctx.rows(BrandLogo).list({ where: own, limit: 1 })
  return row ?? null
}

/** What a person changes. Undefined leaves a part as it is, and an empty text removes it. */
export interface BrandingChange {
  readonly sender_name?: string | undefined
  readonly color?: string | undefined
  readonly color_dark?: string | undefined
  readonly shows_renown?: boolean | undefined
  /** The file of a new logo. Null removes the logo. */
  readonly logo?: Uint8Array | null | undefined
}

const nameMax = 100

/** Checks and stores the branding of an agency. Throws a Refusal that names the field. */
export async function setBranding(
  ctx: Ctx,
  agency_id: string,
  { sender_name, color: onWhite, color_dark, shows_renown, logo }: BrandingChange,
): Promise<Branding | null> {
  const name = sender_name === undefined ? undefined : cleanName(sender_name)
  if (name !== undefined && name.length > nameMax)
    throw refusedField('sender_name', `Use at most ${nameMax} characters.`)
  const changes = {
    ...(name === undefined ? {} : { sender_name: name || undefined }),
    ...(onWhite === undefined ? {} : { color: readableColor('color', onWhite) ?? undefined }),
    ...(color_dark === undefined ? {} : { color_dark: readableColor('color_dark', color_dark) ?? undefined }),
    ...(shows_renown === undefined ? {} : { shows_renown }),
    ...(logo === undefined
      ? {}
      : { logo: logo === null ? undefined : await storeLogo(ctx, agency_id, logo) }),
  }
  const rows = ctx.rows(AgencyBranding)
  if (await rows.update(agency_id, changes)) return brandingOf(ctx, agency_id)
  const row = { shows_renown: false, ...changes, id: agency_id, workspace_id: agency_id }
  if (!(await rows.insert(row).catch(nullIfConflict))) await rows.update(agency_id, changes)
  return brandingOf(ctx, agency_id)
}

/** Removes the branding of an agency. Reports that were made with it keep it. */
export const removeBranding = (ctx: Ctx, agency_id: string): Promise<number> =>
  ctx.rows(AgencyBranding).removeWhere(where.eq('id', agency_id))

async function storeLogo(ctx: Ctx, agency_id: string, file: Uint8Array): Promise<string> {
  const { type, bytes, width, height } = rewrittenLogo(file)
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  const row = { agency_id, workspace_id: agency_id, hash, type, width, height }
  await ctx
    .rows(BrandLogo)
    .insert({ ...row, bytes: bytes.toString('base64') })
    .catch(nullIfConflict)
  return hash
}
