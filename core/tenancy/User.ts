import * as v from 'valibot'
import { defineEntity, field } from '../kit'

/** Internal: a person who signs in. The owner creates keys, workspaces, locations and sites. */
export const User = defineEntity({
  name: 'User',
  summary: 'A person of an agency',
  idPrefix: 'usr',
  store: 'documents',
  scope: { by: 'agency', field: 'agency_id' },
  reads: [],
  people: {
    who: { email: ['email'], name: ['name'] },
    erase: {
      name: null,
      email: null,
      password_hash: null,
      password_set_at: null,
      totp_secret: null,
      totp_step: null,
      recovery_hashes: null,
      browser_hashes: null,
      is_active: false,
    },
  },
  fields: {
    agency_id: field.text('Agency the person belongs to'),
    role: field.oneOf(
      ['owner', 'member'],
      'owner: everything. member: the pages of the workspaces they were given, never keys, apps, domains or people',
    ),
    workspace_ids: v.optional(
      field.texts('Workspaces a member may see; owners have none here and see all of the agency'),
    ),
    skipped_start: v.optional(field.flag('No longer sees the first steps')),
    shortcuts_on: v.optional(field.flag('Has switched single-key shortcuts of the pages on')),
    theme: v.optional(
      field.oneOf(
        ['auto', 'light', 'dark'],
        'Theme of the pages that the person chose. auto: that of the system',
      ),
    ),
    language: v.optional(
      field.text(
        'Language of the pages, such as `de`. The one that the browser preferred at the first sign-in',
      ),
    ),
    name: v.optional(field.text('Name of the person')),
    email: v.optional(field.text('Address the person signs in with, in lower case')),
    is_active: field.flag('Inactive people cannot sign in'),
    password_hash: v.optional(field.text('argon2id of the password')),
    password_set_at: v.optional(field.instant('When the password was chosen')),
    totp_secret: v.optional(field.text('Secret of the second factor, sealed')),
    totp_step: v.optional(
      field.integer('Half minute of the last accepted code, because each code works once', { min: 0 }),
    ),
    recovery_hashes: v.optional(field.texts('SHA-256 (hex) of the unused recovery codes')),
    browser_hashes: v.optional(field.texts('SHA-256 (hex) of the cookies of browsers that signed in before')),
  },
  hidden: ['password_hash', 'totp_secret', 'totp_step', 'recovery_hashes', 'browser_hashes'],
  sealed: ['totp_secret'],
  sortable: ['created_date'],
  indexes: [{ on: ['agency_id'] }, { on: ['email'], unsafeUniqueAcrossTenants: true }],
})
