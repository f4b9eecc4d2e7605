import * as v from 'valibot'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'
import type { OwnerContext, SystemReads } from './owner'
import { type Wording, wordingSchema } from './words'

/** The website that the first steps name, with what its pages need. */
export interface SetupWebsite {
  readonly site_id: string
  readonly domain: string
  readonly timezone: string
  readonly site_key: string
}

/** What the first start or the first steps know about a website. */
export interface WantedWebsite {
  readonly workspace_id: string
  readonly location_id: string
  readonly domain: string
  readonly timezone: string
}

/** Creates the website of a new installation, and gives it the name that people enter in the first steps. */
export interface WebsiteSetup {
  /** The website of a workspace. Null if it has none. `placeholder` is the domain of the first start: any other comes first. */
  find(ctx: OwnerContext, workspaceId: string, placeholder: string): Promise<SetupWebsite | null>
  /** Creates the website if the location has none. Returns a new forwarder token each time, because the last may be lost. */
  create(
    ctx: OwnerContext,
    wanted: Omit<WantedWebsite, 'timezone'>,
  ): Promise<Pick<SetupWebsite, 'site_id' | 'site_key'> & { readonly forwarder_token: string }>
  /**
   * Makes the workspace count the domain. The website of the first start takes it with its key, unless it has counted
   * hits. A repeated call changes nothing. Returns the site that was replaced, if any, and its successor.
   */
  name(
    ctx: OwnerContext,
    wanted: WantedWebsite,
    placeholder: string,
  ): Promise<{ readonly replaced: string; readonly by: string } | null>
}

/** Something that people set up in a workspace before a plugin has data to show. */
export interface SetupStep extends Extension {
  /** What people do, in two to four words, such as Count AI traffic. */
  readonly label: Wording
  /** The page on which people set it up. */
  readonly href: string
  /** Sort position. */
  readonly order: number
  /**
   * Whether a workspace has it. It runs for pages of owners until it is true, so read through an index. If it throws, the
   * step is not shown.
   */
  isDone(ctx: SystemReads, workspaceId: string): Promise<boolean>
  /** Provided by the plugin that counts websites. */
  readonly website?: WebsiteSetup
}

/** What plugins add to the steps of setting up a workspace. */
export const setupStep: ExtensionPoint<SetupStep> = defineExtensionPoint<SetupStep>({
  id: 'workspace.setup',
  summary: 'Adds a step to setting up a workspace',
  isOptional: true,
  shape: {
    label: wordingSchema(40),
    href: v.pipe(v.string(), v.regex(/^\/app\/[a-z0-9/-]+$/, 'a path under /app')),
    order: v.number(),
    isDone: v.function(),
    website: v.optional(v.looseObject({ find: v.function(), create: v.function(), name: v.function() })),
  },
})
