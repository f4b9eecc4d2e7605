/**
 * Robots that are neither agents of AI nor search engines of this registry. Owners are not told about them as new
 * agents.
 */
export const otherRobots: readonly string[] = [
  // Search engines and their helpers.
  ...namesIn('Googlebot-Image, Googlebot-News, Googlebot-Video, AdsBot-Google, AdsBot-Google-Mobile'),
  ...namesIn('Mediapartners-Google, Storebot-Google, APIs-Google, FeedFetcher-Google, Google-Read-Aloud'),
  ...namesIn('Google-InspectionTool, Google-Site-Verification, GoogleProducer, Google-Safety'),
  ...namesIn('Google Favicon, Google-Lens, BingPreview, AdIdxBot, MicrosoftPreview, msnbot, Slurp'),
  ...namesIn('SeznamBot, Sogou, 360Spider, YisouSpider, HaosouSpider, Yeti, NaverBot, Daum'),
  ...namesIn('coccocbot-web, coccocbot-image, Qwantbot, Qwantify, MojeekBot, Mojeek, YandexImages'),
  ...namesIn('YandexMobileBot, YandexMetrika, YandexFavicons, YandexDirect, YandexAccessibilityBot'),
  ...namesIn('YandexRenderResourcesBot, YaDirectFetcher, Mail.RU_Bot, Baiduspider-image'),
  ...namesIn('Baiduspider-render, marginalia, Presearch, Presearchbot, SeekportBot, Seekport, StractBot'),
  ...namesIn('BrightEdge, yacybot, Gigabot, wp.com, DuckDuckGo-Favicons-Bot'),
  // SEO and marketing.
  ...namesIn('AhrefsBot, AhrefsSiteAudit, SemrushBot, SiteAuditBot, SemrushBot-BA, SemrushBot-SI'),
  ...namesIn('MJ12bot, DotBot, rogerbot, BLEXBot, DataForSeoBot, SERankingBacklinksBot, serpstatbot'),
  ...namesIn('SEOkicks, SEOkicks-Robot, Screaming Frog SEO Spider, Sitebulb, SISTRIX, XoviBot'),
  ...namesIn('linkdexbot, MegaIndex, ZoominfoBot, Barkrowler, AwarioBot, AwarioSmartBot, AwarioRssBot'),
  ...namesIn('Majestic, OnCrawl, deepcrawl, Lumar, Botify, JetOctopus, ContentKing, SeobilityBot'),
  ...namesIn('SEOlyzer, SeolytBot, RyteBot, Siteimprove, Cookiebot, CookieInformationScanner, OneTrust'),
  ...namesIn('BacklinkCrawler, Dataprovider, dataprovider.com, BuiltWith, Wappalyzer, netEstate'),
  ...namesIn('Nimbostratus-Bot, SMTBot, Buck, AdBeat_bot, proximic, GrapeshotCrawler, peer39_crawler'),
  ...namesIn('IAS Crawler, ias_crawler, TTD-Content, Criteobot, admantx, BidswitchBot, AdsTxtCrawler'),
  ...namesIn('trendictionbot, TurnitinBot, Turnitin, Linespider'),
  // Previews, mail and social networks.
  ...namesIn('facebookexternalhit, facebookcatalog, Twitterbot, LinkedInBot, Slackbot'),
  ...namesIn('Slackbot-LinkExpanding, Slack-ImgProxy, Discordbot, TelegramBot, WhatsApp, SkypeUriPreview'),
  ...namesIn('Pinterestbot, Pinterest, redditbot, Snapchat, SnapchatAds, vkShare, OdklBot, Embedly'),
  ...namesIn('Iframely, Bluesky Cardyb, Mastodon, Synapse, Misskey, Pleroma, Lemmy, Friendica, Tumblr'),
  ...namesIn('Viber, Kakaotalk-scrap, Zoom, Bitlybot, XING-contenttabreceiver, Flipboard, FlipboardProxy'),
  ...namesIn('FlipboardRSS, Nuzzel, Outbrain, Taboolabot, GoogleImageProxy, YahooMailProxy'),
  ...namesIn('Yahoo Ad monitoring, Valimail, MailChimp'),
  // Feeds and archives.
  ...namesIn('Feedly, FeedlyBot, Feedbin, Inoreader, NewsBlur, Feedspot, FeedBurner, Tiny Tiny RSS'),
  ...namesIn('FreshRSS, Miniflux, theoldreader.com, BazQux, Superfeedr, SuperFeedr bot, Netvibes'),
  ...namesIn('CommaFeed, NetNewsWire, archive.org_bot, special_archiver, ia_archiver, heritrix, Wayback'),
  ...namesIn('ArchiveBot, ArchiveTeam, Arquivo-web-crawler, bnf.fr_bot, nlnz'),
  ...namesIn('Amazon-Route53-Health-Check-Service, PodcastBot, iTMS, Podcasts'),
  // Monitoring and speed.
  ...namesIn('UptimeRobot, Pingdom.com_bot, PingdomPageSpeed, PingdomTMS, StatusCake, Site24x7'),
  ...namesIn('Uptime-Kuma, Better Uptime Bot, BetterStackBot, HetrixTools, NodePing, Datadog'),
  ...namesIn('DatadogSynthetics, NewRelicSynthetics, NewRelicPinger, Catchpoint, GTmetrix'),
  ...namesIn('Chrome-Lighthouse, PTST, Checkly, Freshping, updown.io, Jetmon, jetpack, Monitis'),
  ...namesIn('Blackbox Exporter, Zabbix, check_http, ELB-HealthChecker, GoogleHC, kube-probe'),
  ...namesIn('GoogleStackdriverMonitoring, Cloudflare-Healthchecks, CloudFlare-AlwaysOnline'),
  ...namesIn('Cloudflare-Traffic-Manager, Cloudflare-SSLDetector, Fastly-Healthcheck, SSL Labs'),
  ...namesIn('W3C_Validator, W3C-checklink, Validator.nu, W3C_CSS_Validator, HTTP Banner Detection'),
  ...namesIn('Letsencrypt, vercel-screenshot, vercel-favicon-bot'),
  // Security scans and measurements of the network.
  ...namesIn('CensysInspect, Expanse, InternetMeasurement, Odin, Nmap Scripting Engine, zgrab, masscan'),
  ...namesIn('Nuclei, Shodan, BinaryEdge, LeakIX, l9explore, NetcraftSurveyAgent, Netcraft'),
  ...namesIn('SecurityTrails, WPScan, Detectify, Intruder, ProjectDiscovery, Acunetix, Nessus, Qualys'),
  ...namesIn('sqlmap, nikto, InfoTigerBot, IonCrawl, Onespot-ScraperBot, RecordedFuture, Sucuri'),
  ...namesIn('SiteLock, SiteLockSpider, Cortex-Xpanse, ALittle Client, PaloAltoNetworks'),
  ...namesIn('Palo Alto Networks, Virusdie, VirusTotal, CheckMarkNetwork, GenomeCrawlerd, ModatScanner'),
  ...namesIn('visionheight.com, webprosbot, Domains Project, DomainStatsBot, DomainCrawler, SurdotlyBot'),
  ...namesIn('SafeDNSBot, SafeSearch, Avast, BitSightBot, WebwikiBot, Keydrop, DnBCrawler-Analytics'),
  ...namesIn('DnyzBot, BananaBot, Plukkie, startmebot, panscient.com, SBooksNet'),
  // Programs and libraries.
  ...namesIn('curl, Wget, python-requests, Python-urllib, aiohttp, httpx, Scrapy, Go-http-client, okhttp'),
  ...namesIn('axios, node-fetch, undici, Apache-HttpClient, libwww-perl, GuzzleHttp, Ruby, Faraday'),
  ...namesIn('HeadlessChrome, PhantomJS, Playwright, Puppeteer, Selenium, PostmanRuntime, insomnia'),
  ...namesIn('HTTPie, colly, reqwest, ureq, hyper, Deno, WordPress, WooCommerce, Magento, Drupal'),
  ...namesIn('Googlebot-Mobile, Mediatoolkitbot, LinkCheck, linkchecker, W3C-mobileOK, Xenu Link Sleuth'),
  ...namesIn('HTTrack'),
  // Robots that directories of AI crawlers list, though they are not of AI.
  ...namesIn('EchoboxBot, Echobot Bot, Linguee Bot, wpbot, ISSCyberRiskCrawler, QuillBot'),
]

function namesIn(text: string): string[] {
  return text.split(', ')
}
