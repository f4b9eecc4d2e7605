import { definePlugin } from 'renown'
import { channelCommands } from './commands/channel-commands'
import { postCommands } from './commands/commands'
import { postTarget } from './contract'
import { postsDemo } from './demo/demo'
import { feedPosts } from './feed/feed-posts'
import { publicFeed } from './feed/public-feed'
import { generatePostDraft } from './operations/generatePostDraft'
import { duePosts, findPosts } from './publishing/duePosts'
import { publishPost } from './publishing/publishPost'
import { recomputeTimes } from './publishing/recomputeTimes'
import { postEvents } from './records/events'
import { Post } from './records/Post'
import { attemptOutcome, PostAttempt } from './records/PostAttempt'
import { PostChannel } from './records/PostChannel'
import { PostedLocation } from './records/PostedLocation'
import { PostPlan } from './records/PostPlan'
import { postStatus } from './records/postStatus'

/** Posts of locations on their platforms: drafts, schedules, and publishing each exactly once. */
export default definePlugin({
  name: 'posts',
  summary: 'Posts of business locations: drafts, schedules and publishing',
  renown: '^1.0.0',
  needs: ['tenancy'],
  extensionPoints: [postTarget],
  provides: [postTarget.with(feedPosts)],
  publicPages: { feed: publicFeed },
  entities: [Post, PostAttempt, PostChannel, PostPlan],
  reads: [PostedLocation],
  operations: [generatePostDraft],
  events: postEvents,
  states: [postStatus, attemptOutcome],
  jobs: { duePosts, findPosts, recomputeTimes },
  queues: { 'publish-post': publishPost },
  commands: [...postCommands, ...channelCommands],
  demo: postsDemo,
})
