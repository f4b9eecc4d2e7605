import anthropic from './anthropic'
import billing from './billing'
import bluesky from './bluesky'
import brave from './brave'
import dataforseo from './dataforseo'
import enrichment from './enrichment'
import facebook from './facebook'
import feeds from './feeds'
import gdelt from './gdelt'
import gemini from './gemini'
import github from './github'
import google from './google'
import hackernews from './hackernews'
import leads from './leads'
import linkedin from './linkedin'
import locations from './locations'
import mastodon from './mastodon'
import mistral from './mistral'
import openai from './openai'
import perplexity from './perplexity'
import places from './places'
import posts from './posts'
import prospects from './prospects'
import reddit from './reddit'
import reports from './reports'
import reviews from './reviews'
import stackexchange from './stackexchange'
import traffic from './traffic'
import visibility from './visibility'
import webhook from './webhook'
import webhooks from './webhooks'
import wordpress from './wordpress'
import xai from './xai'
import youtube from './youtube'

/** The domains of the product. */
const domains = [
  locations,
  reviews,
  visibility,
  traffic,
  posts,
  reports,
  leads,
  prospects,
  enrichment,
  billing,
  webhooks,
] as const

/** The plugins of outside platforms. */
export const platforms = [
  google,
  facebook,
  places,
  dataforseo,
  openai,
  anthropic,
  gemini,
  xai,
  perplexity,
  mistral,
  webhook,
  hackernews,
  mastodon,
  feeds,
  gdelt,
  stackexchange,
  github,
  youtube,
  brave,
  bluesky,
  reddit,
  wordpress,
  linkedin,
] as const

/** The built-in plugins. */
export const builtin = [...domains, ...platforms] as const
