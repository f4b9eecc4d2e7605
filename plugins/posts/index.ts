import { definePlugin } from 'renown'
import { locationCard } from 'renown/locations'
import { homeCard, inboxEntry, workspaceProblems } from 'renown/pages'
import { reportSection } from 'renown/reports'
import { publicApproval } from './approval/public-approval'
import { postsCard } from './cards/home'
import { inboxSources } from './cards/inbox'
import { locationPosts } from './cards/location'
import { postProblems } from './cards/problems'
import { postCommands } from './commands'
import { postAccounts, postTarget } from './contract'
import { postsDemo } from './demo/demo'
import { feedPosts } from './feed/feed-posts'
import { publicFeed } from './feed/public-feed'
import { generatePostDraft } from './operations/generatePostDraft'
import { newPage } from './pages/new-page'
import { postPage } from './pages/post-page'
import { postsPage } from './pages/posts-page'
import { targetsPage } from './pages/targets-page'
import { duePosts, findPosts } from './publishing/duePosts'
import { accountLender } from './publishing/lendAccount'
import { publishPost } from './publishing/publishPost'
import { recomputeTimes } from './publishing/recomputeTimes'
import { postEvents } from './records/events'
import { Post } from './records/Post'
import { PostApproval } from './records/PostApproval'
import { PostAttempt } from './records/PostAttempt'
import { PostChannel } from './records/PostChannel'
import { PostedLocation } from './records/PostedLocation'
import { PostPlan } from './records/PostPlan'
import { PostRules } from './records/PostRules'
import { postsSection } from './report/posts-section'

/** Posts of locations on their platforms: drafts, schedules, and publishing each exactly once. */
export default definePlugin({
  name: 'posts',
  summary: 'Posts of business locations: drafts, schedules and publishing',
  renown: '^1.0.0',
  needs: ['tenancy'],
  extensionPoints: [postTarget, postAccounts],
  provides: [
    postTarget.with(feedPosts),
    postAccounts.with(accountLender),
    homeCard.with(postsCard),
    locationCard.with(locationPosts),
    reportSection.with(postsSection),
    ...inboxSources.map((source) => inboxEntry.with(source)),
    workspaceProblems.with(postProblems),
  ],
  publicPages: { feed: publicFeed, post: publicApproval },
  entities: [Post, PostApproval, PostAttempt, PostChannel, PostPlan, PostRules],
  reads: [PostedLocation],
  operations: [generatePostDraft],
  events: postEvents,
  jobs: { duePosts, findPosts, recomputeTimes },
  queues: { 'publish-post': publishPost },
  commands: postCommands,
  demo: postsDemo,
  pages: [postsPage, postPage, newPage, targetsPage],
})
