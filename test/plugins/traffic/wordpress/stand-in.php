<?php
/**
 * The parts of WordPress that the plugin uses, for PHP's own server: options and a table in a file of JSON. Each request loads the
 * plugin, answers a page and runs `shutdown`, as WordPress does. `X-Do` chooses another act, and `X-Settings` sets the settings.
 */

define( 'ABSPATH', __DIR__ . '/' );
define( 'ARRAY_A', 'ARRAY_A' );
$store_file = getenv( 'STORE' );
$lock       = fopen( "$store_file.lock", 'c' );
flock( $lock, LOCK_EX );
$store   = json_decode( (string) @file_get_contents( $store_file ), true ) ?: array( 'options' => array(), 'rows' => array(), 'id' => 0, 'events' => array() );
$actions = array();

function add_action( $name, $work ) {
	$GLOBALS['actions'][ $name ] = $work;
}
function add_filter( $name, $work ) {}
function register_activation_hook( $file, $work ) {}
function register_deactivation_hook( $file, $work ) {}
function plugin_basename( $file ) {
	return 'renown/renown.php';
}
function get_option( $name, $fallback ) {
	return $GLOBALS['store']['options'][ $name ] ?? $fallback;
}
function update_option( $name, $value ) {
	$GLOBALS['store']['options'][ $name ] = $value;
}
function delete_option( $name ) {
	unset( $GLOBALS['store']['options'][ $name ] );
}
function is_multisite() {
	return false;
}
function wp_doing_cron() {
	return false;
}
function wp_unslash( $text ) {
	return is_array( $text ) ? array_map( 'stripslashes', $text ) : stripslashes( $text );
}
function wp_json_encode( $value, $flags = 0 ) {
	return json_encode( $value, $flags );
}
function wp_parse_url( $url ) {
	return parse_url( $url );
}
function wp_parse_str( $text, &$into ) {
	parse_str( $text, $into );
}
function __return_true() {
	return true;
}
function esc_url( $url ) {
	return htmlspecialchars( $url, ENT_QUOTES );
}
function wp_next_scheduled( $hook ) {
	return $GLOBALS['store']['events'][ $hook ] ?? false;
}
function wp_schedule_single_event( $at, $hook ) {
	$GLOBALS['store']['events'][ $hook ] = $at;
}
function wp_clear_scheduled_hook( $hook ) {
	unset( $GLOBALS['store']['events'][ $hook ] );
}
function dbDelta( $sql ) {
	$GLOBALS['store']['table'] = $sql;
}
class WP_Error {
	public $text = '';
	public function get_error_message() {
		return $this->text;
	}
}
function is_wp_error( $value ) {
	return $value instanceof WP_Error;
}
function wp_remote_post( $url, $options ) {
	$headers = array();
	foreach ( $options['headers'] as $name => $value ) {
		$headers[] = "$name: $value";
	}
	$http   = array( 'method' => 'POST', 'header' => $headers, 'content' => $options['body'], 'timeout' => $options['timeout'], 'ignore_errors' => true, 'follow_location' => 0 );
	$stream = @fopen( $url, 'r', false, stream_context_create( array( 'http' => $http ) ) );
	$body   = $stream ? stream_get_contents( $stream ) : false;
	if ( false === $body || ( '' === $body && stream_get_meta_data( $stream )['timed_out'] ) ) {
		$error       = new WP_Error();
		$error->text = 'no answer';
		return $error;
	}
	return array( $http_response_header, $body );
}
function wp_remote_retrieve_response_code( $response ) {
	return (int) explode( ' ', $response[0][0] )[1];
}
function wp_remote_retrieve_body( $response ) {
	return $response[1];
}
function wp_remote_retrieve_header( $response, $name ) {
	foreach ( $response[0] as $line ) {
		if ( 0 === stripos( $line, "$name:" ) ) {
			return trim( substr( $line, strlen( $name ) + 1 ) );
		}
	}
	return '';
}

/** The table of waiting hits. It knows the plugin's statements and refuses all others. */
class Stand_In_Database {
	public $prefix = 'wp_';
	public function suppress_errors( $is_on = true ) {
		return false;
	}
	public function get_charset_collate() {
		return '';
	}
	public function prepare( $sql, ...$values ) {
		return vsprintf( str_replace( '%s', "'%s'", $sql ), $values );
	}
	private function matched( $pattern, $sql ) {
		if ( ! preg_match( $pattern, $sql, $found ) ) {
			throw new Exception( "unknown statement: $sql" );
		}
		return $found;
	}
	public function get_var( $sql ) {
		$this->matched( '~^SELECT COUNT\(\*\) FROM wp_renown_queue$~', $sql );
		return (string) count( $GLOBALS['store']['rows'] );
	}
	public function insert( $table, $row ) {
		if ( getenv( 'BROKEN' ) || ! isset( $GLOBALS['store']['table'] ) ) {
			trigger_error( 'the database is gone', E_USER_WARNING );
			echo 'the database is gone';
			throw new Exception( 'the database is gone' );
		}
		$id                              = ++$GLOBALS['store']['id'];
		$GLOBALS['store']['rows'][ $id ] = array( 'id' => $id, 'batch' => '', 'claimed' => 0 ) + $row;
		return 1;
	}
	public function get_col( $sql ) {
		$found = $this->matched( '~^SELECT id FROM wp_renown_queue WHERE claimed < (\d+) ORDER BY id LIMIT (\d+)$~', $sql );
		$free  = array_filter( $GLOBALS['store']['rows'], fn( $row ) => $row['claimed'] < $found[1] );
		return array_slice( array_column( $free, 'id' ), 0, $found[2] );
	}
	public function query( $sql ) {
		if ( 'DROP TABLE IF EXISTS wp_renown_queue' === $sql ) {
			$GLOBALS['store']['rows'] = array();
			unset( $GLOBALS['store']['table'] );
			return;
		}
		$found = $this->matched( "~^UPDATE wp_renown_queue SET batch = '(\w+)', claimed = (\d+) WHERE id IN \(([\d,]+)\) AND claimed < (\d+)$~", $sql );
		foreach ( explode( ',', $found[3] ) as $id ) {
			$row = &$GLOBALS['store']['rows'][ $id ];
			if ( $row['claimed'] < $found[4] ) {
				$row['batch']   = $found[1];
				$row['claimed'] = (int) $found[2];
			}
		}
	}
	public function get_results( $sql ) {
		$found = $this->matched( "~^SELECT id, hit FROM wp_renown_queue WHERE batch = '(\w+)' ORDER BY id$~", $sql );
		return array_values( array_filter( $GLOBALS['store']['rows'], fn( $row ) => $row['batch'] === $found[1] ) );
	}
	public function update( $table, $change, $where ) {
		foreach ( $GLOBALS['store']['rows'] as &$row ) {
			if ( $row['batch'] === $where['batch'] ) {
				$row = array_merge( $row, $change );
			}
		}
	}
	public function delete( $table, $where ) {
		$GLOBALS['store']['rows'] = array_filter( $GLOBALS['store']['rows'], fn( $row ) => $row['batch'] !== $where['batch'] );
	}
}
$wpdb = new Stand_In_Database();

$act = $_SERVER['HTTP_X_DO'] ?? '';
if ( 'fpm' === $act ) {
	/** As in PHP-FPM. Here the response only ends later. */
	function fastcgi_finish_request() {
		$GLOBALS['store']['finished'] = ( $GLOBALS['store']['finished'] ?? 0 ) + 1;
		return true;
	}
}
// WordPress adds slashes to what a request has.
foreach ( array( 'HTTP_USER_AGENT', 'REQUEST_URI', 'HTTP_REFERER' ) as $name ) {
	if ( isset( $_SERVER[ $name ] ) ) {
		$_SERVER[ $name ] = addslashes( $_SERVER[ $name ] );
	}
}
if ( isset( $_SERVER['HTTP_X_REMOTE'] ) ) {
	$_SERVER['REMOTE_ADDR'] = $_SERVER['HTTP_X_REMOTE'];
}
error_reporting( E_ALL );
ini_set( 'display_errors', '1' );
require getenv( 'PLUGIN' );

if ( 'save' === $act ) {
	echo renown_save( json_decode( file_get_contents( 'php://input' ), true ) );
} elseif ( 'test' === $act ) {
	echo json_encode( renown_test() );
} elseif ( 'suggest' === $act ) {
	echo renown_suggested_source();
} elseif ( 'cron' === $act ) {
	unset( $store['events']['renown_send'] );
	$actions['renown_send']();
} elseif ( 'match' === $act ) {
	echo json_encode( array_map( fn( $ua ) => preg_match( RENOWN_MAY_BE_AGENT, $ua ), json_decode( file_get_contents( 'php://input' ), true ) ) );
} elseif ( 'uninstall' === $act ) {
	renown_uninstall();
} else {
	http_response_code( '/missing' === $_SERVER['REQUEST_URI'] ? 404 : 200 );
	echo '<head>';
	$actions['wp_head']();
	echo '</head>the page';
	$actions['shutdown']();
}
file_put_contents( $store_file, json_encode( $store ) );
