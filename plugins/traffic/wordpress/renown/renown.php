<?php
/**
 * Plugin Name:       Renown
 * Description:       Reports the requests of AI crawlers to your Renown, after the page was sent. It can also add the script tag that counts visits from AI assistants.
 * Version:           1.0.0
 * Requires at least: 5.3
 * Requires PHP:      7.2
 * Author:            The Renown authors
 * License:           MIT
 * License URI:       https://opensource.org/license/mit
 *
 * @package Renown
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

/**
 * Words in the user agents of AI crawlers. It is wide on purpose: Renown decides what counts, so that this list need not know every
 * crawler. Browsers have none of these words, so pages for people cost nothing. `bun run docs` writes it from the registry.
 */
const RENOWN_MAY_BE_AGENT = '/(?:(?<!cu)bot|crawl|spider|agent|fetch|-user|gpt|claude|compatible;|\+http|aiwebindex|amazon-kendra|amazon-qbusiness|amazon-quick-on-behalf-of|amazonbuyforme|anchor browser|anchorbrowser|anomura|anthropic-ai|bigsur\.ai|cloudflare-autorag|codex-cli|codex_cli|cohere-ai|cotoyogi|devin|gemini-deep-research|geminicli|genspark\.ai|githubcopilotchat|google-firebase|google-gemini-cli|google-gemininotebook|google-notebooklm|google-pinpoint|googleother|grok-deepsearch|img2dataset|laion-huggingface-processor|laiondownloader|lightpanda\/1|linkreader|meta-webindexer|mistralai-index|mistralai-training|modelcontextprotocol|mozilla-tabstack|nooshub|novaact|novellum|omgili|opencode|perplexityuser|poggio-citations|proratainc|semantic-visions\.com|spawning-ai|terracotta|useai|webzio-extended|xai-grok|yandexadditional)/i';

/** Most hits that wait in the database. When it is full, new hits are dropped and counted. */
const RENOWN_QUEUE_MAX = 5000;
/** Most hits of one request. With `RENOWN_HIT_MAX`, a request stays below 1 MB, which most proxies allow. */
const RENOWN_BATCH_MAX = 150;
/** Most bytes of a hit. Only paths and user agents that no crawler sends are longer. */
const RENOWN_HIT_MAX = 5000;
/** Seconds between two requests to the ingest. */
const RENOWN_PAUSE = 10;
/** Longest wait after failures, in seconds. */
const RENOWN_PAUSE_MAX = 3600;
/** A hit that was claimed by a process that ended is sent again after this many seconds. */
const RENOWN_CLAIM_SECONDS = 120;
/** Where the address of a visitor can be read. The owner chooses, because anybody can send these headers. */
const RENOWN_ADDRESS_SOURCES = array(
	'REMOTE_ADDR'           => 'The connection (no proxy in front, or your host corrects the address)',
	'HTTP_CF_CONNECTING_IP' => 'CF-Connecting-IP (Cloudflare)',
	'HTTP_TRUE_CLIENT_IP'   => 'True-Client-IP (Akamai and others)',
	'HTTP_X_REAL_IP'        => 'X-Real-IP',
	'HTTP_X_FORWARDED_FOR'  => 'X-Forwarded-For, the last address (one proxy in front)',
	'none'                  => 'Send no address. Renown then cannot verify crawlers',
);

/** Returns the settings. */
function renown_settings() {
	$stored = get_option( 'renown_settings', array() );
	return array_merge(
		array(
			'address'  => '',
			'token'    => '',
			'site_key' => '',
			'source'   => 'REMOTE_ADDR',
			'count'    => true,
			'tag'      => false,
		),
		is_array( $stored ) ? $stored : array()
	);
}

/** Returns when to send next, the failures in a row, the size of the next batch, the dropped hits and the last answer. */
function renown_state() {
	$stored = get_option( 'renown_state', array() );
	return array_merge(
		array(
			'next'     => 0,
			'failures' => 0,
			'batch'    => RENOWN_BATCH_MAX,
			'dropped'  => 0,
			'last'     => null,
		),
		is_array( $stored ) ? $stored : array()
	);
}

/** Stores the state. WordPress does not load it on other pages. */
function renown_save_state( $state ) {
	update_option( 'renown_state', $state, false );
}

/** Returns the name of the table of waiting hits. */
function renown_table() {
	global $wpdb;
	return $wpdb->prefix . 'renown_queue';
}

/** Whether the plugin is set up to report crawlers. */
function renown_is_counting( $settings ) {
	return $settings['count'] && '' !== $settings['address'] && '' !== $settings['token'];
}

// --- A request -------------------------------------------------------------------------------------------------------------------------

add_action( 'shutdown', 'renown_on_shutdown', PHP_INT_MAX );
add_action( 'renown_send', 'renown_on_cron' );
add_action( 'wp_head', 'renown_print_tag' );

/** Runs at the end of every request. Requests of browsers end at the first line. */
function renown_on_shutdown() {
	$agent = isset( $_SERVER['HTTP_USER_AGENT'] ) ? substr( (string) $_SERVER['HTTP_USER_AGENT'], 0, 1024 ) : '';
	if ( '' === $agent || ! preg_match( RENOWN_MAY_BE_AGENT, $agent ) || wp_doing_cron() || defined( 'WP_CLI' ) ) {
		return;
	}
	renown_quietly( 'renown_report' );
}

/** Calls a function so that nothing of it reaches the visitor: no error, no warning and no output. */
function renown_quietly( $work ) {
	global $wpdb;
	set_error_handler( '__return_true' );
	$is_suppressed = $wpdb->suppress_errors();
	ob_start();
	try {
		$work();
	} catch ( Throwable $fault ) {
		unset( $fault );
	}
	ob_end_clean();
	$wpdb->suppress_errors( $is_suppressed );
	restore_error_handler();
}

/** Queues the hit of this request. If the visitor already has the page, it also sends what waits. */
function renown_report() {
	$settings = renown_settings();
	$method   = isset( $_SERVER['REQUEST_METHOD'] ) ? $_SERVER['REQUEST_METHOD'] : '';
	if ( ! renown_is_counting( $settings ) || ! in_array( $method, array( 'GET', 'HEAD' ), true ) ) {
		return;
	}
	$hit = renown_hit( $settings, $method );
	// Reads the status above, because the response ends here.
	$is_sent = renown_end_response();
	$state   = renown_state();
	if ( ! renown_enqueue( $hit ) ) {
		++$state['dropped'];
		renown_save_state( $state );
	}
	if ( $is_sent && $state['next'] <= time() ) {
		renown_send_batch( $settings, 3 );
	}
	renown_schedule();
}

/** Ends the response, so that the visitor waits for nothing below. Returns whether this server can do that. */
function renown_end_response() {
	foreach ( array( 'fastcgi_finish_request', 'litespeed_finish_request' ) as $finish ) {
		if ( function_exists( $finish ) ) {
			ignore_user_abort( true );
			// Our own buffer is empty. It is opened again for `renown_quietly`.
			ob_end_clean();
			$finish();
			ob_start();
			return true;
		}
	}
	return false;
}

/** Returns the hit of this request as JSON. The id stays the same when the hit is sent again, so it counts once. */
function renown_hit( $settings, $method ) {
	$at  = isset( $_SERVER['REQUEST_TIME_FLOAT'] ) ? (float) $_SERVER['REQUEST_TIME_FLOAT'] : microtime( true );
	$hit = array(
		'ts'     => gmdate( 'Y-m-d\TH:i:s', (int) $at ) . sprintf( '.%03dZ', ( $at - (int) $at ) * 1000 ),
		'method' => $method,
		'host'   => renown_header( 'HTTP_HOST', 255 ),
		'path'   => renown_path( renown_header( 'REQUEST_URI', 4096 ) ),
		'status' => http_response_code(),
		'ua'     => renown_header( 'HTTP_USER_AGENT', 1024 ),
		'id'     => 'wp-' . bin2hex( random_bytes( 16 ) ),
	);
	$address = renown_visitor_address( $settings['source'] );
	if ( null !== $address ) {
		$hit['ip'] = $address;
	}
	return (string) wp_json_encode( $hit, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES );
}

/** Returns a value of the request. WordPress adds slashes to all of them. */
function renown_header( $name, $max ) {
	return isset( $_SERVER[ $name ] ) ? substr( wp_unslash( (string) $_SERVER[ $name ] ), 0, $max ) : '';
}

/** Returns a path without its query, which can contain personal data and is not counted. */
function renown_path( $target ) {
	$path = substr( (string) strtok( $target, '?#' ), 0, 1024 );
	return '' === $path ? '/' : $path;
}

/** Returns the origin of an address, such as https://ingest.example.com:3001, or an empty text. */
function renown_origin( $address ) {
	$url = wp_parse_url( $address );
	if ( ! is_array( $url ) || ! isset( $url['scheme'], $url['host'] ) || isset( $url['user'] ) ) {
		return '';
	}
	$origin = strtolower( $url['scheme'] . '://' . $url['host'] ) . ( isset( $url['port'] ) ? ':' . $url['port'] : '' );
	return preg_match( '~^https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d+)?$~', $origin ) ? $origin : '';
}

/** Returns the visitor's address as the chosen source has it, or null. */
function renown_visitor_address( $source ) {
	if ( ! isset( RENOWN_ADDRESS_SOURCES[ $source ] ) || 'none' === $source ) {
		return null;
	}
	// Only the end, because the proxy adds the address there, and a visitor can send any number of others before it.
	$value   = isset( $_SERVER[ $source ] ) ? substr( wp_unslash( (string) $_SERVER[ $source ] ), -64 ) : '';
	$parts   = explode( ',', $value );
	$address = trim( (string) end( $parts ) );
	return false === filter_var( $address, FILTER_VALIDATE_IP ) ? null : $address;
}

/** Prints the script tag that counts visits from AI assistants. */
function renown_print_tag() {
	$settings = renown_settings();
	if ( $settings['tag'] && '' !== $settings['address'] && '' !== $settings['site_key'] ) {
		printf( "<script defer src=\"%s\"></script>\n", esc_url( $settings['address'] . '/s/' . $settings['site_key'] . '.js' ) );
	}
}

// --- The queue -------------------------------------------------------------------------------------------------------------------------

/** Creates the table of waiting hits. */
function renown_create_table() {
	global $wpdb;
	if ( ! function_exists( 'dbDelta' ) ) {
		require_once ABSPATH . 'wp-admin/includes/upgrade.php';
	}
	$table = renown_table();
	dbDelta(
		"CREATE TABLE $table (
id bigint(20) unsigned NOT NULL AUTO_INCREMENT,
hit text NOT NULL,
batch varchar(32) NOT NULL DEFAULT '',
claimed bigint(20) unsigned NOT NULL DEFAULT 0,
PRIMARY KEY  (id),
KEY batch (batch)
) {$wpdb->get_charset_collate()};"
	);
}

/** Returns how many hits wait. */
function renown_waiting() {
	global $wpdb;
	return (int) $wpdb->get_var( 'SELECT COUNT(*) FROM ' . renown_table() );
}

/** Adds a hit. Returns false if it is too long or the queue is full. */
function renown_enqueue( $hit ) {
	global $wpdb;
	if ( strlen( $hit ) > RENOWN_HIT_MAX || renown_waiting() >= RENOWN_QUEUE_MAX ) {
		return false;
	}
	return (bool) $wpdb->insert( renown_table(), array( 'hit' => $hit ) );
}

/** Claims up to `$max` of the oldest hits for this process, and returns them by id. */
function renown_claim( $batch, $max ) {
	global $wpdb;
	$table = renown_table();
	$free  = time() - RENOWN_CLAIM_SECONDS;
	// phpcs:disable WordPress.DB.PreparedSQL -- the table is a name of ours, and the list has only numbers.
	$ids = $wpdb->get_col( $wpdb->prepare( "SELECT id FROM $table WHERE claimed < %d ORDER BY id LIMIT %d", $free, $max ) );
	if ( ! $ids ) {
		return array();
	}
	$list = implode( ',', array_map( 'intval', $ids ) );
	$wpdb->query(
		$wpdb->prepare( "UPDATE $table SET batch = %s, claimed = %d WHERE id IN ($list) AND claimed < %d", $batch, time(), $free )
	);
	$rows = $wpdb->get_results( $wpdb->prepare( "SELECT id, hit FROM $table WHERE batch = %s ORDER BY id", $batch ), ARRAY_A );
	// phpcs:enable
	return $rows ? array_column( $rows, 'hit', 'id' ) : array();
}

/** Releases the hits of a failed batch, so that the next one contains them again. */
function renown_release( $batch ) {
	global $wpdb;
	$wpdb->update( renown_table(), array( 'batch' => '', 'claimed' => 0 ), array( 'batch' => $batch ) );
}

/** Schedules the next batch if hits wait. WordPress runs it in a request of its own. */
function renown_schedule() {
	if ( ! wp_next_scheduled( 'renown_send' ) && renown_waiting() > 0 ) {
		wp_schedule_single_event( max( renown_state()['next'], time() + RENOWN_PAUSE ), 'renown_send' );
	}
}

/** Sends what waits, in several batches, within 20 seconds. */
function renown_on_cron() {
	renown_quietly(
		function () {
			$settings = renown_settings();
			$until    = time() + 20;
			while ( renown_is_counting( $settings ) && time() < $until && renown_state()['next'] <= time() + RENOWN_PAUSE ) {
				if ( ! renown_send_batch( $settings, 10 ) ) {
					break;
				}
			}
			renown_schedule();
		}
	);
}

/** Sends one batch. Returns whether it was accepted and more may wait. */
function renown_send_batch( $settings, $timeout ) {
	$state         = renown_state();
	$state['next'] = time() + RENOWN_PAUSE;
	// Others wait while this process sends.
	renown_save_state( $state );
	$batch = bin2hex( random_bytes( 16 ) );
	$hits  = renown_claim( $batch, min( RENOWN_BATCH_MAX, max( 1, $state['batch'] ) ) );
	if ( ! $hits ) {
		return false;
	}
	$answer = renown_post( $settings, implode( "\n", $hits ), $timeout );
	renown_save_state( renown_after( renown_state(), $answer, $batch, count( $hits ) ) );
	return $answer['is_accepted'];
}

/** Deletes or releases the hits of a batch, and returns the next state. */
function renown_after( $state, $answer, $batch, $count ) {
	global $wpdb;
	$state['last'] = array(
		'at'   => time(),
		'text' => $answer['text'],
		'ok'   => $answer['is_accepted'],
	);
	if ( $answer['is_accepted'] ) {
		$wpdb->delete( renown_table(), array( 'batch' => $batch ) );
		$state['failures'] = 0;
		$state['batch']    = min( RENOWN_BATCH_MAX, 2 * max( 1, $state['batch'] ) );
		$state['next']     = time() + RENOWN_PAUSE;
		return $state;
	}
	// A firewall before the ingest can refuse a batch because of one path. Smaller batches find that hit, and it is dropped.
	$is_refused = in_array( $answer['status'], array( 400, 403, 406, 413, 415, 422 ), true );
	if ( $is_refused && 1 === $count ) {
		$wpdb->delete( renown_table(), array( 'batch' => $batch ) );
		++$state['dropped'];
	} else {
		renown_release( $batch );
	}
	$state['batch']    = $is_refused ? max( 1, intdiv( $count, 2 ) ) : $state['batch'];
	$state['failures'] = min( 20, $state['failures'] + 1 );
	$pause             = $is_refused ? RENOWN_PAUSE : min( 900, 30 * 2 ** $state['failures'] );
	$state['next']     = time() + min( RENOWN_PAUSE_MAX, max( $pause, $answer['retry_after'] ) );
	return $state;
}

/** Posts hits, and returns what the ingest answered. */
function renown_post( $settings, $body, $timeout ) {
	$response = wp_remote_post(
		$settings['address'] . '/v1/hits',
		array(
			'timeout'             => $timeout,
			'redirection'         => 0,
			'limit_response_size' => 65536,
			'headers'             => array(
				'Authorization' => 'Bearer ' . $settings['token'],
				'Content-Type'  => 'application/x-ndjson',
			),
			'body'                => $body,
		)
	);
	if ( is_wp_error( $response ) ) {
		return array(
			'is_accepted' => false,
			'status'      => 0,
			'retry_after' => 0,
			'text'        => 'The ingest could not be reached: ' . substr( $response->get_error_message(), 0, 300 ),
		);
	}
	$status = (int) wp_remote_retrieve_response_code( $response );
	$said   = json_decode( wp_remote_retrieve_body( $response ), true );
	return array(
		// Another server that answers 200 is not the ingest, and did not count anything.
		'is_accepted' => 200 === $status && is_array( $said ) && isset( $said['accepted'] ),
		'status'      => $status,
		'retry_after' => renown_seconds( (string) wp_remote_retrieve_header( $response, 'retry-after' ) ),
		'text'        => renown_answer_text( $status, $said ),
	);
}

/** Returns the seconds of a Retry-After header, which has a number or a date. */
function renown_seconds( $header ) {
	if ( ctype_digit( $header ) ) {
		return (int) substr( $header, 0, 6 );
	}
	$at = '' === $header ? false : strtotime( $header );
	return false === $at ? 0 : max( 0, $at - time() );
}

/** Returns an answer in words. */
function renown_answer_text( $status, $said ) {
	if ( 401 === $status ) {
		return 'The ingest refused the token (status 401). Copy it again, or make another one in Renown.';
	}
	if ( 200 !== $status || ! is_array( $said ) || ! isset( $said['accepted'] ) ) {
		$detail = is_array( $said ) && isset( $said['detail'] ) && is_string( $said['detail'] ) ? ' ' . substr( $said['detail'], 0, 300 ) : '';
		return 200 === $status
			? 'A server answered, but it is not the ingest of Renown. Check the address.'
			: "The ingest answered with status $status.$detail";
	}
	$text = sprintf( '%d counted, %d not counted, %d not readable, %d counted earlier.', $said['accepted'], $said['ignored'], $said['rejected'], $said['duplicate'] );
	foreach ( array_slice( isset( $said['by_reason'] ) && is_array( $said['by_reason'] ) ? $said['by_reason'] : array(), 0, 5 ) as $each ) {
		if ( is_array( $each ) && isset( $each['lines'], $each['reason'] ) && is_string( $each['reason'] ) ) {
			$text .= sprintf( ' %d: %s.', $each['lines'], substr( $each['reason'], 0, 120 ) );
		}
	}
	return $text;
}

// --- The settings page -----------------------------------------------------------------------------------------------------------------

add_action(
	'admin_menu',
	function () {
		add_options_page( 'Renown', 'Renown', 'manage_options', 'renown', 'renown_page' );
	}
);
add_filter(
	'plugin_action_links_' . plugin_basename( __FILE__ ),
	function ( $links ) {
		array_unshift( $links, '<a href="' . esc_url( admin_url( 'options-general.php?page=renown' ) ) . '">Settings</a>' );
		return $links;
	}
);

/** Saves what the form has. Returns a message if a value cannot be used. */
function renown_save( $form ) {
	$settings = renown_settings();
	$text     = function ( $name ) use ( $form ) {
		return isset( $form[ $name ] ) && is_string( $form[ $name ] ) ? trim( $form[ $name ] ) : '';
	};
	$parts    = array(
		'address'  => $text( 'address' ),
		'token'    => $text( 'token' ),
		'site_key' => $text( 'site_key' ),
	);
	if ( '' !== $text( 'connection' ) ) {
		$url = wp_parse_url( $text( 'connection' ) );
		wp_parse_str( is_array( $url ) && isset( $url['query'] ) ? $url['query'] : '', $given );
		if ( ! isset( $given['token'], $given['site'] ) || ! is_string( $given['token'] ) || ! is_string( $given['site'] ) ) {
			return 'The connection is not complete. Copy the whole line from the Install page of Renown.';
		}
		$parts = array(
			'address'  => $text( 'connection' ),
			'token'    => $given['token'],
			'site_key' => $given['site'],
		);
	}
	$origin = renown_origin( $parts['address'] );
	if ( '' === $origin ) {
		return 'The address must start with https:// or http://, such as https://ingest.example.com.';
	}
	// A saved token goes only to the address that it was saved for.
	if ( '' === $parts['token'] && '' !== $settings['token'] && $origin !== $settings['address'] ) {
		return 'The address changed, so enter the token too.';
	}
	$token = '' === $parts['token'] ? $settings['token'] : $parts['token'];
	if ( ! preg_match( '~^[\x21-\x7e]{1,200}$~', $token ) ) {
		return 'The token is missing, or has a character that no token has. Copy it again.';
	}
	if ( ! preg_match( '~^[A-Za-z0-9_-]{0,100}$~', $parts['site_key'] ) ) {
		return 'The site key may have only letters, digits, - and _. It is the name of the script in the tag, without .js.';
	}
	$source = $text( 'source' );
	if ( ! isset( RENOWN_ADDRESS_SOURCES[ $source ] ) ) {
		return 'Choose where the visitor’s address is read.';
	}
	renown_create_table();
	update_option(
		'renown_settings',
		array(
			'address'  => $origin,
			'token'    => $token,
			'site_key' => $parts['site_key'],
			'source'   => $source,
			'count'    => '' !== $text( 'count' ),
			'tag'      => '' !== $text( 'tag' ),
		)
	);
	// New settings are tried at once.
	renown_save_state( array_merge( renown_state(), array( 'next' => 0, 'failures' => 0 ) ) );
	return '';
}

/** Sends a hit that never counts, because it names no crawler. Returns whether it worked and what the ingest answered. */
function renown_test() {
	$settings = renown_settings();
	if ( '' === $settings['address'] || '' === $settings['token'] ) {
		return array( false, 'Save the connection first.' );
	}
	$answer = renown_post( $settings, (string) wp_json_encode( array( 'path' => '/', 'ua' => 'Renown connection test' ) ), 10 );
	if ( ! $answer['is_accepted'] ) {
		return array( false, $answer['text'] );
	}
	if ( false !== strpos( $answer['text'], 'switched off' ) ) {
		return array( false, 'The address and the token are right, but the site is switched off in Renown.' );
	}
	return array( true, 'The address and the token are right. A test never counts, so the ingest answered: ' . $answer['text'] );
}

/** Handles the form. Returns the class and the text of a notice, or null. */
function renown_submit() {
	if ( 'POST' !== $_SERVER['REQUEST_METHOD'] ) {
		return null;
	}
	check_admin_referer( 'renown' );
	if ( isset( $_POST['test'] ) ) {
		list( $is_right, $text ) = renown_test();
		return array( $is_right ? 'success' : 'error', $text );
	}
	$fault = renown_save( wp_unslash( $_POST ) );
	if ( '' !== $fault ) {
		return array( 'error', $fault );
	}
	list( $is_right, $text ) = renown_test();
	return array( $is_right ? 'success' : 'warning', 'Saved. ' . $text );
}

/** Returns the source that fits this request of the owner best. */
function renown_suggested_source() {
	foreach ( array( 'HTTP_CF_CONNECTING_IP', 'HTTP_TRUE_CLIENT_IP', 'HTTP_X_FORWARDED_FOR' ) as $source ) {
		$address = renown_visitor_address( $source );
		if ( null !== $address && renown_visitor_address( 'REMOTE_ADDR' ) !== $address ) {
			return $source;
		}
	}
	return 'REMOTE_ADDR';
}

/** Prints the settings page. */
function renown_page() {
	if ( ! current_user_can( 'manage_options' ) ) {
		return;
	}
	$notice   = renown_submit();
	$settings = renown_settings();
	$source   = '' === $settings['address'] ? renown_suggested_source() : $settings['source'];
	echo '<div class="wrap"><h1>Renown</h1>';
	if ( $notice ) {
		printf( '<div class="notice notice-%s"><p>%s</p></div>', esc_attr( $notice[0] ), esc_html( $notice[1] ) );
	}
	echo '<form method="post">';
	wp_nonce_field( 'renown' );
	echo '<table class="form-table" role="presentation">';
	renown_field( 'connection', 'Connection', '', 'Paste the connection from the Install page of Renown. It fills in the three fields below.', 'off' );
	renown_field( 'address', 'Ingest address', $settings['address'], 'Such as https://ingest.example.com.', 'url' );
	$saved = '' === $settings['token'] ? 'The forwarder token of the site.' : 'A token that ends in ' . substr( $settings['token'], -4 ) . ' is saved. Leave this empty to keep it.';
	renown_field( 'token', 'Forwarder token', '', $saved, 'off' );
	renown_field( 'site_key', 'Site key', $settings['site_key'], 'Needed only for the script tag.', 'off' );
	renown_check_box( 'count', 'AI crawlers', 'Report the requests of AI crawlers', $settings['count'] );
	renown_check_box( 'tag', 'AI assistants', 'Add the script tag to every page. Do not add it elsewhere too', $settings['tag'] );
	echo '<tr><th scope="row">Visitor’s address</th><td><fieldset><legend class="screen-reader-text">Visitor’s address</legend>';
	echo '<p>Choose the line with your own address. Anybody can send these headers, so choose one only if a proxy of yours sets it.</p>';
	foreach ( RENOWN_ADDRESS_SOURCES as $name => $label ) {
		$address = renown_visitor_address( $name );
		printf(
			'<p><label><input type="radio" name="source" value="%s"%s> %s%s</label></p>',
			esc_attr( $name ),
			checked( $source, $name, false ),
			esc_html( $label ),
			'none' === $name ? '' : ': <code>' . esc_html( null === $address ? 'no address in this request' : $address ) . '</code>'
		);
	}
	echo '</fieldset></td></tr></table>';
	echo '<p class="submit"><button class="button button-primary" name="save" value="1">Save and test</button> ';
	echo '<button class="button" name="test" value="1" formnovalidate>Test the saved connection</button></p></form>';
	renown_print_status( $settings );
	echo '</div>';
}

/** Prints a text field. */
function renown_field( $name, $label, $value, $hint, $autocomplete ) {
	printf(
		'<tr><th scope="row"><label for="renown-%1$s">%2$s</label></th><td><input class="regular-text" type="text" id="renown-%1$s" name="%1$s" value="%3$s" autocomplete="%5$s" spellcheck="false"><p class="description">%4$s</p></td></tr>',
		esc_attr( $name ),
		esc_html( $label ),
		esc_attr( $value ),
		esc_html( $hint ),
		esc_attr( $autocomplete )
	);
}

/** Prints a check box. */
function renown_check_box( $name, $label, $text, $is_checked ) {
	printf(
		'<tr><th scope="row">%2$s</th><td><label><input type="checkbox" name="%1$s" value="1"%4$s> %3$s</label></td></tr>',
		esc_attr( $name ),
		esc_html( $label ),
		esc_html( $text ),
		checked( $is_checked, true, false )
	);
}

/** Prints what was sent and what waits. */
function renown_print_status( $settings ) {
	$state = renown_state();
	echo '<h2>Status</h2><ul class="ul-disc">';
	if ( '' !== $settings['address'] ) {
		printf( '<li>%d hits wait. At most %d can wait.</li>', (int) renown_waiting(), (int) RENOWN_QUEUE_MAX );
	}
	if ( $state['dropped'] > 0 ) {
		printf( '<li>%d hits were dropped because the queue was full or a firewall refused them.</li>', (int) $state['dropped'] );
	}
	if ( $state['last'] ) {
		printf( '<li>Last answer, %s ago: %s</li>', esc_html( human_time_diff( $state['last']['at'] ) ), esc_html( $state['last']['text'] ) );
	}
	if ( $state['failures'] > 0 && $state['next'] > time() ) {
		printf( '<li>The plugin tries again in %s.</li>', esc_html( human_time_diff( $state['next'] ) ) );
	}
	if ( 'REMOTE_ADDR' === $settings['source'] && 'REMOTE_ADDR' !== renown_suggested_source() ) {
		echo '<li><strong>This request came through a proxy, but the address of the connection is sent.</strong> If that is the proxy’s address, Renown calls real crawlers spoofed. Choose the header of the proxy.</li>';
	}
	if ( defined( 'WP_CACHE' ) && WP_CACHE ) {
		echo '<li><strong>A page cache is on.</strong> WordPress does not see the requests that it answers, so their crawlers are not counted.</li>';
	}
	if ( ! function_exists( 'fastcgi_finish_request' ) && ! function_exists( 'litespeed_finish_request' ) ) {
		echo '<li>This server cannot end a response early. Hits are sent by WP-Cron, about once a minute while the website is visited.</li>';
	}
	echo '</ul><p>Pages from a cache of your host, a cache plugin or a CDN do not reach WordPress and are not counted here. An access log, or a Cloudflare Worker, counts them too. Do not use two ways for the same website: crawlers would count twice.</p>';
}

// --- Removal ---------------------------------------------------------------------------------------------------------------------------

register_activation_hook( __FILE__, 'renown_activate' );
register_deactivation_hook( __FILE__, 'renown_deactivate' );

/** Registers the removal. */
function renown_activate() {
	register_uninstall_hook( __FILE__, 'renown_uninstall' );
}

/** Stops sending. What waits stays until the plugin is active again, or deleted. */
function renown_deactivate() {
	wp_clear_scheduled_hook( 'renown_send' );
}

/** Removes everything that the plugin stored, on every site of the network. */
function renown_uninstall() {
	$remove = function () {
		global $wpdb;
		wp_clear_scheduled_hook( 'renown_send' );
		$wpdb->query( 'DROP TABLE IF EXISTS ' . renown_table() ); // phpcs:ignore WordPress.DB.PreparedSQL
		delete_option( 'renown_settings' );
		delete_option( 'renown_state' );
	};
	if ( ! is_multisite() ) {
		$remove();
		return;
	}
	foreach ( get_sites( array( 'fields' => 'ids', 'number' => 0 ) ) as $site ) {
		switch_to_blog( $site );
		$remove();
		restore_current_blog();
	}
}
