import { dayMs, type Row } from 'renown'
import { Workspace } from 'renown/records'
import { publicOrigin } from 'renown/sources'
import type { PostTarget } from '../contract'

/**
 * A feed at a public address of this installation. A post is in the feed as soon as it is published, under its own id, so
 * a repeated call changes nothing.
 */
export const feedPosts: PostTarget = {
  name: 'feed',
  platform: 'feed',
  label: 'Feed',
  order: 30,
  perHour: 120,
  proof: { acceptance: 'The feed is at this installation. It has a post as soon as the post is published' },
  rules: {
    postTypes: ['update', 'offer', 'event'],
    textMax: 1_500,
    countedIn: 'characters',
    photosMax: 10,
    videosMax: 0,
    textOf: ({ content }) => content.summary,
  },
  channel: { hasPublicId: true },
  async open(ctx, { location, channel }) {
    const url = `${await feedAddress(ctx, location.workspace_id, channel.public_id)}/rss.xml`
    return {
      keys: { isExact: true, lifetimeMs: async () => 3650 * dayMs },
      create: async ({ id }) => ({ external_id: id, url, evidence: 'It is in the feed' }),
    }
  },
}

/** Reads the domain of a workspace, for people and for the system. */
interface AddressReads {
  readonly apiUrl: string
  rows(entity: typeof Workspace): { get(id: string): Promise<Row<typeof Workspace> | null> }
}

/** Returns the public address of a feed without a file, on the white-label domain of the agency if it has one. */
export async function feedAddress(
  ctx: AddressReads,
  workspace_id: string,
  public_id: string,
): Promise<string> {
  return `${publicOrigin(ctx, await ctx.rows(Workspace).get(workspace_id))}/p/feed/${public_id}`
}
