import { testReplyChannel } from 'renown/testing'
import bluesky from '../../../plugins/bluesky'
import mastodon from '../../../plugins/mastodon'
import reddit from '../../../plugins/reddit'
import youtube from '../../../plugins/youtube'
import {
  createBlueskyThread,
  createMastodonThread,
  createRedditThread,
  createYouTubeThread,
} from '../../support/stand-ins/reply-threads'

const refusing = (body: (status: number) => object) => (status: number) =>
  Response.json(body(status), { status })

testReplyChannel({
  plugin: mastodon,
  name: 'mastodon',
  location: {},
  standIn: createMastodonThread,
  post: { channel: 'mastodon', source_id: '55', url: 'https://far.test/@sam/9' },
  channel: { platform: 'mastodon', address: 'https://social.test/', secret: 'mastodon-token' },
  secrets: ['mastodon-token'],
  refusal: refusing(() => ({ error: 'Validation failed: mastodon-token' })),
})

testReplyChannel({
  plugin: bluesky,
  name: 'bluesky',
  location: {},
  standIn: createBlueskyThread,
  post: { channel: 'bluesky', source_id: 'inbound 1', url: 'https://bsky.app/profile/sam.test/post/3kpost' },
  refused: ['https://bsky.app/profile/sam.test', 'https://evil.test/profile/sam.test/post/3kpost'],
  channel: {
    platform: 'bluesky',
    address: 'https://bsky.test',
    account: 'acme.test',
    secret: 'app-password',
  },
  secrets: ['app-password', 'jwt-of-acme'],
  refusal: refusing(() => ({ error: 'InvalidRequest', message: 'no app-password' })),
})

const youTubeSuite = {
  plugin: youtube,
  name: 'youtube',
  location: { youtube_channel_id: 'UCacme' },
  settings: {
    YOUTUBE_URL: 'http://youtube.test/youtube/v3',
    YOUTUBE_TOKEN_URL: 'http://youtube.test/token',
    YOUTUBE_CLIENT_ID: 'client',
    YOUTUBE_CLIENT_SECRET: 'client-secret',
  },
  connection: { provider: 'youtube', account_id: 'UCacme', refresh_token: '1//refresh' },
  isSetup: ({ url }: Request) => new URL(url).pathname === '/token',
  secrets: ['channel-token', '1//refresh'],
  refused: [
    'https://www.youtube.com/@acme',
    'https://evil.test/watch?v=vid-1',
    'https://www.youtube.com/watch?v=vid-1&lc=Ugx.reply',
  ],
  refusal: refusing((code) => ({
    error: { code, message: 'no channel-token', errors: [{ reason: 'forbidden', message: 'no' }] },
  })),
}

testReplyChannel({
  ...youTubeSuite,
  standIn: (clock) => createYouTubeThread(clock, null),
  post: { channel: 'youtube', source_id: 'vid-1', url: 'https://www.youtube.com/watch?v=vid-1' },
})

testReplyChannel({
  ...youTubeSuite,
  standIn: (clock) => createYouTubeThread(clock, 'Ugx1'),
  post: { channel: 'youtube', source_id: 'Ugx1', url: 'https://www.youtube.com/watch?v=vid-1&lc=Ugx1' },
})

testReplyChannel({
  plugin: reddit,
  name: 'reddit',
  location: { reddit_account_id: 't2_acme1' },
  settings: {
    REDDIT_URL: 'http://reddit.test',
    REDDIT_TOKEN_URL: 'http://reddit.test/api/v1/access_token',
    REDDIT_CLIENT_ID: 'client',
    REDDIT_CLIENT_SECRET: 'client-secret',
    REDDIT_USER: 'ann',
  },
  connection: { provider: 'reddit', account_id: 't2_acme1', refresh_token: 'refresh-reddit' },
  isSetup: ({ url }) => new URL(url).pathname === '/api/v1/access_token',
  standIn: createRedditThread,
  post: { channel: 'reddit', source_id: 'inbound 2', url: 'https://www.reddit.com/r/leeds/comments/1abc/a/' },
  refused: ['https://www.reddit.com/r/leeds/', 'https://evil.test/r/leeds/comments/1abc/a/'],
  secrets: ['account-token', 'refresh-reddit'],
  refusal: refusing((error) => ({ message: 'no account-token', error })),
})
