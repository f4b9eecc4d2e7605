# frozen_string_literal: true

# Reports requests of AI agents to Renown. It sends them in the background: a visitor never waits for it and never
# sees an error of it. It needs Ruby 2.7 or later and no gem. It reads RENOWN_FORWARDER_TOKEN.
#
#   config.middleware.use Renown::Middleware  # Rails
#   use Renown::Middleware                    # Sinatra and others with Rack

require "json"
require "logger"
require "net/http"
require "securerandom"
require "time"
require "uri"

module Renown
  # Names of AI agents, and signs of agents that are not known yet. The ingest decides what it counts.
  AGENTS = /(?:(?<!cu)bot|crawl|spider|agent|fetch|-user|gpt|claude|compatible;|\+http|aiwebindex|amazon-kendra|amazon-qbusiness|amazon-quick-on-behalf-of|amazonbuyforme|anchor browser|anchorbrowser|anomura|anthropic-ai|bigsur\.ai|cloudflare-autorag|codex-cli|codex_cli|cohere-ai|cotoyogi|devin|gemini-deep-research|geminicli|genspark\.ai|githubcopilotchat|google-firebase|google-gemini-cli|google-gemininotebook|google-notebooklm|google-pinpoint|googleother|grok-deepsearch|img2dataset|laion-huggingface-processor|laiondownloader|lightpanda\/1|linkreader|meta-webindexer|mistralai-index|mistralai-training|modelcontextprotocol|mozilla-tabstack|nooshub|novaact|novellum|omgili|opencode|perplexityuser|poggio-citations|proratainc|semantic-visions\.com|spawning-ai|terracotta|useai|webzio-extended|xai-grok|yandexadditional)/i

  # At most so many hits and bytes wait. Further hits are dropped.
  HITS_MAX, BYTES_MAX = 10_000, 4_000_000
  # A batch has at most so many hits. A hit waits so long for others.
  BATCH_MAX, DELAY = 500, 1.0
  # How long one request may take, and the longest wait before the next try, in seconds.
  TIMEOUT, WAIT_MAX = 5.0, 60.0
  # How long the end of the app may take for what is left.
  CLOSE_MAX = 2.0

  # Hits that wait for the ingest, and the thread that sends them.
  class Queue
    def initialize(token:, ingest:, log:)
      @token = token
      @log = log
      @url = URI("#{ingest.chomp("/")}/v1/hits")
      @mutex = Mutex.new
      @wake = ConditionVariable.new
      reset
    end

    def add(hit)
      line = "#{JSON.generate(hit)}\n"
      @mutex.synchronize do
        # A forked process has no thread and must not send what its parent has.
        reset if @pid != Process.pid
        if @lines.size >= HITS_MAX || @bytes + line.bytesize > BYTES_MAX
          @log.warn("Renown: the queue is full. Hits are dropped until the ingest accepts others.") unless @is_full
          @is_full = true
          next
        end
        @lines << line
        @bytes += line.bytesize
        @thread ||= Thread.new { run }
      end
    end

    # Sends what waits, for at most `limit` seconds.
    def close(limit = CLOSE_MAX)
      thread = @thread if @pid == Process.pid
      return unless thread&.alive?

      @mutex.synchronize do
        @is_closing = true
        @wake.signal
      end
      thread.join(limit)
    end

    private

    def reset
      @pid = Process.pid
      @lines = []
      @bytes = 0
      @batch = nil
      @failures = 0
      @is_full = false
      @is_closing = false
      @thread = nil
    end

    def run
      wait = DELAY
      loop do
        pause(wait)
        wait = send_batch
        break if @is_closing && (@failures.positive? || left.zero?)
      rescue StandardError => e
        @log.warn("Renown: hits could not be sent: #{e.class}")
        wait = WAIT_MAX
        break if @is_closing
      end
    end

    def pause(seconds)
      @mutex.synchronize { @wake.wait(@mutex, seconds) if seconds.positive? && !@is_closing }
    end

    def left
      @mutex.synchronize { @lines.size + (@batch ? 1 : 0) }
    end

    # Sends a batch, or the same one again. Returns how many seconds to wait before the next.
    def send_batch
      # A batch keeps its id and its bytes at each try, so the ingest counts it once.
      @batch ||= @mutex.synchronize { [SecureRandom.uuid, @lines.shift(BATCH_MAX).join] unless @lines.empty? }
      return DELAY unless @batch

      status, retry_after, cause = post(*@batch)
      is_refused = status.between?(400, 499) && ![401, 403, 404, 408, 429].include?(status)
      if status.between?(200, 299) || is_refused
        @log.warn("Renown: the ingest refused hits with the status #{status}. They are dropped.") if is_refused
        @mutex.synchronize do
          @bytes -= @batch[1].bytesize
          @batch = nil
          @is_full = false
        end
        @failures = 0
        return left.zero? ? DELAY : 0
      end
      @failures += 1
      if @failures == 1
        @log.warn("Renown: hits wait, because the ingest answers with #{cause || "the status #{status}"}.")
      end
      back_off = [WAIT_MAX, 2.0**[@failures - 1, 6].min].min * rand(0.75..1.25)
      [back_off, [retry_after, 3600.0].min].max
    end

    def post(id, body)
      request = Net::HTTP::Post.new(
        @url,
        "Authorization" => "Bearer #{@token}",
        "Content-Type" => "application/x-ndjson",
        "Idempotency-Key" => id
      )
      request.body = body
      limits = { open_timeout: TIMEOUT, read_timeout: TIMEOUT, write_timeout: TIMEOUT, max_retries: 0 }
      answer = Net::HTTP.start(@url.host, @url.port, use_ssl: @url.scheme == "https", **limits) do |http|
        http.request(request)
      end
      [answer.code.to_i, answer["Retry-After"].to_f, nil]
    rescue StandardError => e
      [0, 0.0, e.class.name]
    end
  end

  # Turns requests into hits. It never throws an error of its own.
  class Middleware
    def initialize(app, token: ENV["RENOWN_FORWARDER_TOKEN"], ingest: nil, log: Logger.new($stderr))
      @app = app
      @token = token.to_s
      @log = log
      from_environment = ENV["RENOWN_INGEST_URL"].to_s
      ingest ||= from_environment.empty? ? "https://ingest.example.com" : from_environment
      @queue = Queue.new(token: @token, ingest: ingest, log: log)
      log.warn("Renown: RENOWN_FORWARDER_TOKEN is not set, so no hits are counted.") if @token.empty?
      at_exit { @queue.close }
    end

    def call(env)
      hit = safely { begin_hit(env) }
      answer = @app.call(env)
      safely { @queue.add(hit.merge(status: answer[0].to_i, ip: address_of(env)).compact) } if hit
      answer
    end

    private

    def begin_hit(env)
      agent = env["HTTP_USER_AGENT"].to_s.scrub
      return if @token.empty? || !%w[GET HEAD].include?(env["REQUEST_METHOD"]) || !AGENTS.match?(agent)

      query = env["QUERY_STRING"].to_s
      url = "#{env["SCRIPT_NAME"]}#{env["PATH_INFO"]}#{"?#{query}" unless query.empty?}"
      {
        id: SecureRandom.uuid,
        ts: Time.now.utc.iso8601(3),
        method: env["REQUEST_METHOD"],
        host: env["HTTP_HOST"]&.scrub,
        url: url.scrub[0, 4096],
        ua: agent[0, 1024],
        referer: env["HTTP_REFERER"]&.scrub&.slice(0, 1024)
      }
    end

    # Rails calculates the address as `config.action_dispatch.trusted_proxies` says, and Rack from private proxies.
    def address_of(env)
      remote = env["action_dispatch.remote_ip"]
      return remote.to_s if remote

      defined?(Rack::Request) ? Rack::Request.new(env).ip : env["REMOTE_ADDR"]
    end

    def safely
      yield
    rescue StandardError => e
      @log.warn("Renown: a hit was not counted: #{e.class}")
      nil
    end
  end
end
