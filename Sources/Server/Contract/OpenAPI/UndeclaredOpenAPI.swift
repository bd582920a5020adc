// swift-format-ignore-file
// The hand-written document of the operations that are not declared yet. Goes when the last feature is declared.

/// The description of the operations that are not declared yet.
enum EmbeddedOpenAPI {
    static let json: String = ##"""
{
  "openapi": "3.1.0",
  "info": {
    "title": "SubGuard",
    "version": "1.0.0",
    "summary": "Catalogue, suggestions, analytics and administration of a SubGuard server.",
    "description": "JSON in UTF-8 with names in snake_case. Instants are RFC 3339 in UTC, amounts decimal strings beside an ISO 4217 code, ids lower-case UUIDs.\n\nErrors are `application/problem+json` (RFC 9457) with a stable `code`. Every answer carries `X-Request-Id`.\n\nHEAD is answered wherever GET is, without the body, and OPTIONS with 204 and `Allow`. Another method of a known address is 405 with `Allow`, an unknown address 404. A GET with an `If-Match` that does not fit is 412. Answers may be coded as gzip, each coding with its own `ETag`; bodies may be sent as gzip or deflate.\n\nAdmin calls need `Authorization: Bearer` with an access token whose role holds the permission in `x-permission`.",
    "license": {"name": "MIT", "identifier": "MIT"}
  },
  "servers": [{"url": "/", "description": "The server that gave this document."}],
  "tags": [
    {"name": "Operations", "description": "For those who run the server, and the server's account of itself."},
    {"name": "Catalogue", "description": "What devices read."},
    {"name": "Suggestions", "description": "What devices miss."},
    {"name": "Analytics", "description": "What devices report."},
    {"name": "Crashes", "description": "Faults and sessions."},
    {"name": "Accounts", "description": "Sign in with Apple, sessions and erasure."},
    {"name": "Premium", "description": "What was bought at the App Store."},
    {"name": "Administration", "description": "For editors and analysts with an access token."}
  ],
  "security": [],
  "paths": {
    "/healthz": {
      "get": {
        "operationId": "getHealth",
        "tags": ["Operations"],
        "summary": "Whether the process lives",
        "description": "For a supervisor. Touches nothing else and is never limited.",
        "responses": {
          "200": {
            "description": "It lives.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Health"},
                "examples": {"alive": {"value": {"status": "ok"}}}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/readyz": {
      "get": {
        "operationId": "getReadiness",
        "tags": ["Operations"],
        "summary": "Whether to send requests here",
        "description": "Ready means that the store has every migration and that a write really reached it, at most a second ago; that the server drains shows at once. For a load balancer. Never limited.",
        "responses": {
          "200": {
            "description": "Every check passed.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Readiness"},
                "examples": {"ready": {"value": {"status": "ready", "checks": {"migrations": "ok", "store": "ok", "storage": "ok"}}}}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/NotReady"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/metrics": {
      "get": {
        "operationId": "getMetrics",
        "tags": ["Operations"],
        "summary": "Figures of the process",
        "description": "In the text format of Prometheus, computed once a second at most. Asks for the bearer token of the setting `metrics_token` where one is set; answers 404 where `metrics_port` gives it a listener of its own. Not limited, but for wrong tokens.",
        "responses": {
          "200": {
            "description": "All figures.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"}
            },
            "content": {
              "text/plain; version=0.0.4": {
                "schema": {"type": "string", "minLength": 1},
                "examples": {
                  "excerpt": {
                    "value": "# HELP subguard_http_requests_total Answered requests by route template, method and status.\n# TYPE subguard_http_requests_total counter\nsubguard_http_requests_total{route=\"/healthz\",method=\"GET\",status=\"200\"} 7\n"
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/problems/{code}": {
      "get": {
        "operationId": "getProblem",
        "tags": ["Operations"],
        "summary": "What an error means",
        "description": "The page that the `type` of a problem leads to, for people.",
        "parameters": [
          {
            "name": "code",
            "in": "path",
            "required": true,
            "description": "The `code` of the problem.",
            "schema": {"$ref": "#/components/schemas/ProblemCode"},
            "example": "not_found"
          },
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "The explanation.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "text/html": {
                "schema": {"type": "string", "minLength": 1},
                "examples": {
                  "not_found": {
                    "value": "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>not_found - SubGuard</title>\n<h1>Nothing is here</h1>\n<p>Code <code>not_found</code>, status 404.</p>\n<p>Check the address, and the id in it.</p>\n</html>\n"
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/openapi.json": {
      "get": {
        "operationId": "getOpenAPI",
        "tags": ["Operations"],
        "summary": "This document",
        "description": "The names of events and their properties are written from the table that the server itself obeys.",
        "parameters": [{"$ref": "#/components/parameters/IfNoneMatch"}],
        "responses": {
          "200": {
            "description": "OpenAPI 3.1.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/OpenAPIDocument"},
                "examples": {
                  "excerpt": {
                    "value": {"openapi": "3.1.0", "info": {"title": "SubGuard", "version": "1.0.0"}, "paths": {}}
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/privacy": {
      "get": {
        "operationId": "getPrivacy",
        "tags": ["Operations"],
        "summary": "What the server keeps",
        "description": "Field by field, for how long, how many rows, and when it was last purged.",
        "parameters": [{"$ref": "#/components/parameters/IfNoneMatch"}],
        "responses": {
          "200": {
            "description": "The account.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Privacy"},
                "examples": {
                  "account": {
                    "value": {
                      "generated_at": "2026-11-20T10:00:00Z",
                      "definition": "Made of the schema of the database and of the registry of events; row counts are true to ten minutes.",
                      "events": [
                        {"name": "app_opened", "properties": ["app_version", "os_version", "platform", "locale"]}
                      ],
                      "tables": [
                        {
                          "table": "suggestions",
                          "purpose": "Ids of suggestions, to know one again that is sent twice.",
                          "concerns": "devices",
                          "retention": "Until the suggestion is deleted.",
                          "rows": 12,
                          "rows_are_exact": true,
                          "last_purged_at": null,
                          "fields": [
                            {
                              "name": "id",
                              "type": "BLOB",
                              "meaning": "Random id that the device made for this suggestion."
                            }
                          ]
                        }
                      ],
                      "never_stored": ["Names, mail addresses and prices of anybody's subscriptions."]
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/catalogue": {
      "get": {
        "operationId": "listCatalogue",
        "tags": ["Catalogue"],
        "summary": "The catalogue, or what changed in it",
        "description": "Without `since`: every item by slug, page by page. The last page carries `sync_token`.\n\nWith `since`: only what changed since that token, in the order of the changes, with `deleted` on every page. An item that changed and no longer passes `category` or `q` is listed in `deleted` with `merged_into` null.\n\nA token rests on a revision and never on a clock. One that is too old, or of another store, is 410: drop the copy and the token and read everything.",
        "parameters": [
          {"$ref": "#/components/parameters/Limit"},
          {"$ref": "#/components/parameters/Cursor"},
          {"$ref": "#/components/parameters/CategoryFilter"},
          {"$ref": "#/components/parameters/TextFilter"},
          {
            "name": "since",
            "in": "query",
            "description": "The `sync_token` of the copy that is to be brought up to date. Opaque.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 512, "pattern": "^[A-Za-z0-9_-]+$"}
          },
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "A page.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
              "Link": {"$ref": "#/components/headers/Link"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/CataloguePage"},
                "examples": {
                  "first_page": {
                    "value": {
                      "items": [
                        {
                          "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                          "name": "Netflix",
                          "slug": "netflix",
                          "category": "streaming",
                          "typical_amount": "14.99",
                          "currency": "EUR",
                          "billing_cycle": "monthly",
                          "website": "https://www.netflix.com",
                          "logo_url": null,
                          "cancel_url": "https://www.netflix.com/cancelplan",
                          "notice_days": 0,
                          "aliases": ["Netflix Standard", "Netflix Premium"],
                          "updated_at": "2026-11-20T10:00:00Z"
                        }
                      ],
                      "next_cursor": "bDoxMjA0Om5ldGZsaXg"
                    }
                  },
                  "last_page": {
                    "value": {
                      "items": [
                        {
                          "id": "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60",
                          "name": "L’Équipe",
                          "slug": "l-equipe",
                          "category": "press",
                          "typical_amount": "13.49",
                          "currency": "EUR",
                          "billing_cycle": "monthly",
                          "website": "https://www.lequipe.fr",
                          "logo_url": null,
                          "cancel_url": null,
                          "notice_days": null,
                          "aliases": [],
                          "updated_at": "2026-11-19T08:30:15.250Z"
                        }
                      ],
                      "next_cursor": null,
                      "sync_token": "AZ8Kd1xqT0uRAAAAAAAABLQ"
                    }
                  },
                  "changes": {
                    "value": {
                      "items": [
                        {
                          "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                          "name": "Netflix",
                          "slug": "netflix",
                          "category": "streaming",
                          "typical_amount": "14.99",
                          "currency": "EUR",
                          "billing_cycle": "monthly",
                          "website": "https://www.netflix.com",
                          "logo_url": null,
                          "cancel_url": "https://www.netflix.com/cancelplan",
                          "notice_days": 0,
                          "aliases": ["Netflix Standard", "Netflix Premium"],
                          "updated_at": "2026-11-20T10:00:00Z"
                        }
                      ],
                      "deleted": [
                        {
                          "id": "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60",
                          "merged_into": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b"
                        }
                      ],
                      "next_cursor": null,
                      "sync_token": "AZ8Kd1xqT0uRAAAAAAAABLQ"
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "410": {"$ref": "#/components/responses/SyncTokenExpired"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/catalogue/search": {
      "get": {
        "operationId": "searchCatalogue",
        "tags": ["Catalogue"],
        "summary": "Autocomplete",
        "description": "Ranked: the whole name, its beginning, the beginning of a later word, the middle of a word. Aliases count just behind names. Case, accents and punctuation do not matter. From four letters on one typo is forgiven: a letter missing, added, wrong, or two swapped.",
        "parameters": [
          {
            "name": "q",
            "in": "query",
            "description": "What has been typed so far.",
            "required": true,
            "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^\\u0000]+$"}
          },
          {"$ref": "#/components/parameters/Limit"},
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "The best matches.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/CatalogueMatches"},
                "examples": {
                  "netfix": {
                    "value": {
                      "items": [
                        {
                          "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                          "name": "Netflix",
                          "slug": "netflix",
                          "category": "streaming",
                          "typical_amount": "14.99",
                          "currency": "EUR",
                          "billing_cycle": "monthly",
                          "website": "https://www.netflix.com",
                          "logo_url": null,
                          "cancel_url": "https://www.netflix.com/cancelplan",
                          "notice_days": 0,
                          "aliases": ["Netflix Standard", "Netflix Premium"],
                          "updated_at": "2026-11-20T10:00:00Z",
                          "score": 60,
                          "matched": "Netflix"
                        }
                      ],
                      "next_cursor": null
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/catalogue/{id}": {
      "get": {
        "operationId": "getCatalogueItem",
        "tags": ["Catalogue"],
        "summary": "One item",
        "description": "The id of an item that was merged into another leads to that one.",
        "parameters": [{"$ref": "#/components/parameters/ItemID"}, {"$ref": "#/components/parameters/IfNoneMatch"}],
        "responses": {
          "200": {
            "description": "The item.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/CatalogueItem"},
                "examples": {
                  "item": {
                    "value": {
                      "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                      "name": "Netflix",
                      "slug": "netflix",
                      "category": "streaming",
                      "typical_amount": "14.99",
                      "currency": "EUR",
                      "billing_cycle": "monthly",
                      "website": "https://www.netflix.com",
                      "logo_url": null,
                      "cancel_url": "https://www.netflix.com/cancelplan",
                      "notice_days": 0,
                      "aliases": ["Netflix Standard", "Netflix Premium"],
                      "updated_at": "2026-11-20T10:00:00Z"
                    }
                  }
                }
              }
            }
          },
          "301": {
            "description": "It was merged into another item.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Location": {"$ref": "#/components/headers/Location"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/logos/{file}": {
      "get": {
        "operationId": "getLogo",
        "tags": ["Catalogue"],
        "summary": "The image of a logo",
        "description": "The name is the content's SHA-256, so that an answer can be kept for ever.",
        "parameters": [
          {
            "name": "file",
            "in": "path",
            "required": true,
            "description": "As `logo_url` of an item ends. Anything else is 404.",
            "schema": {"type": "string", "pattern": "^[0-9a-f]{64}\\.(?:png|jpg|webp)$"},
            "example": "9f2c5a7e1b3d4f60718293a4b5c6d7e8f9012a3b4c5d6e7f8091a2b3c4d5e6f7.png"
          },
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "The image.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
              "X-Content-Type-Options": {"description": "No guessing at the type.", "schema": {"const": "nosniff"}}
            },
            "content": {
              "image/png": {
                "schema": {"type": "string", "contentMediaType": "image/png"},
                "examples": {"image": {"value": "(bytes)"}}
              },
              "image/jpeg": {
                "schema": {"type": "string", "contentMediaType": "image/jpeg"},
                "examples": {"image": {"value": "(bytes)"}}
              },
              "image/webp": {
                "schema": {"type": "string", "contentMediaType": "image/webp"},
                "examples": {"image": {"value": "(bytes)"}}
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/suggestions": {
      "post": {
        "operationId": "submitSuggestions",
        "tags": ["Suggestions"],
        "summary": "Services that are missing in the catalogue",
        "description": "One suggestion, or up to 100 from the queue of a device. An id counts once however often it is sent. Nothing of the sender is kept. The body has at most 256 KiB.",
        "requestBody": {
          "description": "A name and an id, or several.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "oneOf": [
                  {"$ref": "#/components/schemas/Suggestion"},
                  {"$ref": "#/components/schemas/SuggestionQueue"}
                ]
              },
              "examples": {
                "one": {"value": {"id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b", "name": "Ciné « Le Méliès »"}},
                "queue": {
                  "value": {
                    "suggestions": [
                      {"id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b", "name": "Ciné « Le Méliès »"},
                      {"id": "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60", "name": "Salle d’escalade"}
                    ]
                  }
                }
              }
            }
          }
        },
        "responses": {
          "202": {
            "description": "They are stored.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/SuggestionReceipt"},
                "examples": {"queue": {"value": {"accepted": 1, "duplicates": 1}}}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/analytics": {
      "post": {
        "operationId": "submitEvents",
        "tags": ["Analytics"],
        "summary": "Events of a device",
        "description": "An object with `events`, or a bare array. What is answered with 202 is on disk. An event counts once however often its id is sent, so a device sends again whatever was not answered. A bad event costs none of its neighbours: it is listed in `rejected`, and sending it again makes no sense. A batch that takes more on disk, or names more new users, than its client may send is answered 429, and nothing of it is stored. The body has at most 1 MiB as sent and 4 MiB without its coding.",
        "parameters": [{"$ref": "#/components/parameters/IngestSignature"}],
        "requestBody": {
          "description": "1 to 1000 events.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "oneOf": [{"$ref": "#/components/schemas/EventBatch"}, {"$ref": "#/components/schemas/EventList"}]
              },
              "examples": {
                "batch": {
                  "value": {
                    "sent_at": "2026-11-20T10:00:05Z",
                    "events": [
                      {
                        "id": "01934f0e-7c2a-7d3e-9b1a-000000000001",
                        "name": "app_opened",
                        "user_id": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                        "timestamp": "2026-11-20T10:00:00Z",
                        "properties": {
                          "app_version": "1.4.0",
                          "os_version": "18.1",
                          "platform": "ios",
                          "locale": "fr-FR"
                        }
                      },
                      {
                        "id": "01934f0e-7c2a-7d3e-9b1a-000000000002",
                        "name": "subscription_added",
                        "user_id": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                        "timestamp": "2026-11-20T10:00:00Z",
                        "properties": {"platform": "ios", "catalogue_item_id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b"}
                      }
                    ]
                  }
                },
                "bare_array": {
                  "value": [
                    {
                      "id": "01934f0e-7c2a-7d3e-9b1a-000000000003",
                      "name": "retention_d7",
                      "user_id": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                      "timestamp": "2026-11-20T10:00:00Z"
                    }
                  ]
                }
              }
            }
          }
        },
        "responses": {
          "202": {
            "description": "The events that are not in `rejected` are on disk.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/EventReceipt"},
                "examples": {
                  "all_taken": {"value": {"accepted": 2, "duplicates": 0, "rejected": []}},
                  "one_refused": {
                    "value": {
                      "accepted": 1,
                      "duplicates": 0,
                      "rejected": [
                        {
                          "index": 1,
                          "code": "property_not_allowed",
                          "detail": "The event carries a property that is not allowed for it."
                        }
                      ]
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/NotSigned"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/analytics/erasure": {
      "post": {
        "operationId": "eraseAnalytics",
        "tags": ["Analytics"],
        "summary": "Make a device's events anonymous",
        "description": "For a device whose user takes consent back. What is answered with 202 is on disk; within minutes every place that holds the hash holds a random one instead, so that the figures stay and nothing leads back. Asking again changes nothing. Events that are sent with the hash afterwards count as those of a new user.",
        "requestBody": {
          "description": "The hash that the device sends with its events: whoever knows it is the device.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/AnalyticsErasure"},
              "examples": {
                "one": {"value": {"user_id": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}}
              }
            }
          }
        },
        "responses": {
          "202": {
            "description": "The wish is noted.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/crashes": {
      "post": {
        "operationId": "submitCrashes",
        "tags": ["Crashes"],
        "summary": "Crashes and session counts of clients without an SDK",
        "description": "For clients that use no Sentry SDK. Nothing personal has a field here, any other field is refused, and what looks personal or secret in the texts is masked before anything is stored. One bad entry refuses the whole request. Idempotent by `id`. `sent_at` repairs the clock: each time is moved by the difference between the server's clock and it. The body has at most 1 MiB as sent and 4 MiB without its coding.",
        "requestBody": {
          "description": "Crashes, session counts, or both.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/CrashSubmission"},
              "examples": {
                "both": {
                  "value": {
                    "sent_at": "2026-11-20T10:00:05Z",
                    "crashes": [
                      {
                        "id": "01934f0e-7c2a-7d3e-9b1a-000000000001",
                        "timestamp": "2026-11-20T10:00:00Z",
                        "type": "EXC_BAD_ACCESS",
                        "app_version": "1.4.0",
                        "app_build": "217",
                        "platform": "ios",
                        "os_version": "18.1",
                        "device_model": "iPhone15,2",
                        "handled": false,
                        "frames": [
                          {
                            "function": "SubscriptionList.body.getter",
                            "module": "SubGuard",
                            "line": 42,
                            "in_app": true
                          },
                          {"function": "UIApplicationMain", "module": "UIKitCore", "in_app": false}
                        ]
                      }
                    ],
                    "sessions": [
                      {
                        "id": "01934f0e-7c2a-7d3e-9b1a-000000000002",
                        "started_at": "2026-11-20T09:00:00Z",
                        "app_version": "1.4.0",
                        "total": 3,
                        "crashed": 1
                      }
                    ]
                  }
                }
              }
            }
          }
        },
        "responses": {
          "202": {
            "description": "All of it is on disk.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/CrashReceipt"},
                "examples": {"taken": {"value": {"accepted": 2, "duplicates": 0}}}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/ingest/api/{project_id}/envelope/": {
      "post": {
        "operationId": "submitEnvelope",
        "tags": ["Crashes"],
        "summary": "Reports of Sentry SDKs",
        "description": "The Sentry envelope protocol: SDKs are given the DSN `http://<key>@host:port/ingest/<project_id>`. Off, and answered 404, until the setting `ingest_sentry_key` holds a key. The key comes in `X-Sentry-Auth`, in the query or in the envelope's `dsn`; where it comes more than once, each must be the server's. Items of the types `event`, `session`, `sessions` and `client_report` are read, others skipped and counted; a bad item costs none of its neighbours. Errors carry `X-Sentry-Error` and `causes`, 429 also `X-Sentry-Rate-Limits`. A key in the head is looked at before the body. The media type is not looked at. The body has at most 2 MiB as sent and 8 MiB without its coding, an event 1 MiB, the header of an envelope or item 16 KiB.",
        "parameters": [
          {
            "name": "project_id",
            "in": "path",
            "required": true,
            "description": "The setting `ingest_project_id`.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 128}
          },
          {
            "name": "sentry_key",
            "in": "query",
            "description": "The key of the DSN, for clients that cannot set fields.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 128}
          },
          {
            "name": "X-Sentry-Auth",
            "in": "header",
            "description": "`Sentry sentry_key=<key>, sentry_version=7`.",
            "schema": {"type": "string"}
          }
        ],
        "requestBody": {
          "description": "A line of JSON, then for each item a line of JSON and its payload.",
          "required": true,
          "content": {
            "application/x-sentry-envelope": {
              "schema": {"type": "string", "minLength": 2},
              "examples": {
                "session": {
                  "value": "{}\n{\"type\":\"session\"}\n{\"sid\":\"7c7b6585-f901-4351-bf8d-02711b721929\",\"init\":true,\"started\":\"2026-11-20T10:00:00Z\",\"status\":\"exited\",\"attrs\":{\"release\":\"1.4.0\"}}\n"
                }
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "What could be read is on disk.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/EnvelopeReceipt"},
                "examples": {"event": {"value": {"id": "80a817cf4f684a7bb62880ea6729fff0"}}, "without_event": {"value": {}}}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadEnvelope"},
          "403": {"$ref": "#/components/responses/ForeignKey"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedCoding"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/ingest/api/{project_id}/store/": {
      "post": {
        "operationId": "submitStoredEvent",
        "tags": ["Crashes"],
        "summary": "Reports of older Sentry SDKs",
        "description": "One event as SDKs sent it before there were envelopes; the DSN is the same. The key comes in `X-Sentry-Auth` or in the query, and is looked at before the body. The event is kept as from an envelope: the same fields, masked in the same way, once by its id. Besides gzip and deflate, base64 of JSON compressed with zlib is taken, which some SDKs send without naming it. The media type is not looked at. The body has at most 2 MiB as sent, the event 1 MiB.",
        "parameters": [
          {
            "name": "project_id",
            "in": "path",
            "required": true,
            "description": "The setting `ingest_project_id`.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 128}
          },
          {
            "name": "sentry_key",
            "in": "query",
            "description": "The key of the DSN, for clients that cannot set fields.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 128}
          },
          {
            "name": "X-Sentry-Auth",
            "in": "header",
            "description": "`Sentry sentry_key=<key>, sentry_version=7`.",
            "schema": {"type": "string"}
          }
        ],
        "requestBody": {
          "description": "The event.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"type": "object"},
              "examples": {
                "event": {
                  "value": {
                    "event_id": "80a817cf4f684a7bb62880ea6729fff0",
                    "timestamp": "2026-11-20T10:00:00Z",
                    "release": "1.4.0",
                    "message": "cannot read the file"
                  }
                }
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The event is on disk.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/EnvelopeReceipt"},
                "examples": {"event": {"value": {"id": "80a817cf4f684a7bb62880ea6729fff0"}}}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadEnvelope"},
          "403": {"$ref": "#/components/responses/ForeignKey"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedCoding"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/batch/": {
      "post": {
        "operationId": "submitPostHogBatch",
        "tags": ["Analytics"],
        "summary": "Events of PostHog SDKs",
        "description": "Off, and answered 404, until the setting `ingest_posthog_key` holds a key. Events are mapped onto the registry: `event` is the name, `uuid` the id, `distinct_id` becomes `user_id` (64 lower-case hexadecimal digits are taken as they are, anything else is hashed with SHA-256). Properties that the registry does not allow for the event are dropped, events that it does not know are dropped and counted; none of them fails the batch. `sent_at` repairs the clock. Answered once everything is on disk. The media type is not looked at. The body has at most 6 MiB, as sent and without its coding, and 5000 events; an event with over 500 properties is dropped.",
        "parameters": [{"$ref": "#/components/parameters/IngestSignature"}],
        "requestBody": {
          "description": "A batch.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/PostHogBatch"},
              "examples": {
                "batch": {
                  "value": {
                    "api_key": "phc_example",
                    "sent_at": "2026-11-20T10:00:05.123456+00:00",
                    "batch": [
                      {
                        "event": "app_opened",
                        "distinct_id": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                        "uuid": "01934f0e-7c2a-7d3e-9b1a-000000000003",
                        "timestamp": "2026-11-20T10:00:00+00:00",
                        "properties": {"platform": "ios", "$lib": "posthog-ios"}
                      }
                    ]
                  }
                }
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The events that could be taken are on disk.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/PostHogReceipt"},
                "examples": {"taken": {"value": {"status": 1}}}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/ForeignAPIKey"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedCoding"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/auth/apple": {
      "post": {
        "operationId": "signIn",
        "tags": ["Accounts"],
        "summary": "Sign in with Apple",
        "description": "Takes the identity token that Apple gave to the app. Its `nonce` must be the SHA-256 of the raw nonce, in hexadecimal digits; each token, and each nonce, signs in once. Makes the account when it is not known. No name and no mail address is stored.",
        "requestBody": {
          "description": "Apple's token and the raw nonce.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/AppleSignIn"},
              "examples": {
                "one": {"value": {"identity_token": "eyJhbGciOiJSUzI1NiIsImtpZCI6IlcyZDRmNiJ9.eyJpc3MiOiJodHRwczovL2FwcGxlaWQuYXBwbGUuY29tIn0.c2lnbmF0dXJl", "nonce": "n-0S6_WzA2Mj"}}
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "Signed in.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/SessionTokens"},
                "examples": {
                  "one": {
                    "value": {
                      "access_token": "sga_Yk3dE0yWmT5r8uXo1pQb7LsVnZ2hJ4cKfA6gRiNtDwM",
                      "refresh_token": "sgr_q9HsT2vB6nLxE1mKd0RzYw4cJ8uFgP5oAiX7tNbQ3eU",
                      "expires_in": 3600,
                      "token_type": "Bearer"
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/InvalidIdentityToken"},
          "404": {"$ref": "#/components/responses/SignInNotConfigured"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/AppleUnavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/auth/refresh": {
      "post": {
        "operationId": "refreshSession",
        "tags": ["Accounts"],
        "summary": "New tokens",
        "description": "Spends the refresh token. One that comes a second time ends the session, but for the last one within a minute while nobody has used what it gave: its answer may have been lost.",
        "requestBody": {
          "description": "The latest refresh token.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/SessionRefresh"},
              "examples": {
                "one": {"value": {"refresh_token": "sgr_q9HsT2vB6nLxE1mKd0RzYw4cJ8uFgP5oAiX7tNbQ3eU"}}
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The next pair.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/SessionTokens"},
                "examples": {
                  "one": {
                    "value": {
                      "access_token": "sga_Yk3dE0yWmT5r8uXo1pQb7LsVnZ2hJ4cKfA6gRiNtDwM",
                      "refresh_token": "sgr_q9HsT2vB6nLxE1mKd0RzYw4cJ8uFgP5oAiX7tNbQ3eU",
                      "expires_in": 3600,
                      "token_type": "Bearer"
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/InvalidRefreshToken"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/auth/sign_out": {
      "post": {
        "operationId": "signOut",
        "tags": ["Accounts"],
        "summary": "Sign out",
        "description": "Ends the session: all its tokens open nothing any more. Nothing else changes.",
        "security": [{"SessionToken": []}],
        "responses": {
          "204": {
            "description": "Signed out.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/NoSession"},
          "403": {"$ref": "#/components/responses/CrossSite"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/me": {
      "delete": {
        "operationId": "eraseAccount",
        "tags": ["Accounts"],
        "summary": "Erase the account",
        "description": "Erases the account with its sessions, and unlinks its purchases, at once and for good. Who signs in again gets a new account.",
        "security": [{"SessionToken": []}],
        "responses": {
          "204": {
            "description": "Nothing is left of it.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/NoSession"},
          "403": {"$ref": "#/components/responses/CrossSite"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/auth/apple/notifications": {
      "post": {
        "operationId": "receiveAppleNotification",
        "tags": ["Accounts"],
        "summary": "From Apple: account events",
        "description": "Consent that was taken back and an account with Apple that was deleted erase the account here. Each counts once, by its `jti`.",
        "requestBody": {
          "description": "A JWT, signed by Apple.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/AppleAccountNotification"},
              "examples": {
                "one": {"value": {"payload": "eyJhbGciOiJSUzI1NiIsImtpZCI6IlcyZDRmNiJ9.eyJpc3MiOiJodHRwczovL2FwcGxlaWQuYXBwbGUuY29tIn0.c2lnbmF0dXJl"}}
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "Taken, or known already.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            }
          },
          "400": {"$ref": "#/components/responses/BadNotification"},
          "404": {"$ref": "#/components/responses/SignInNotConfigured"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/AppleUnavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/premium/verify": {
      "post": {
        "operationId": "verifyPremium",
        "tags": ["Premium"],
        "summary": "Show a purchase",
        "description": "Takes a transaction of StoreKit 2 as the App Store signed it. The purchase belongs to this account from then on, unless it names another one. Showing it again changes nothing.",
        "security": [{"SessionToken": []}],
        "requestBody": {
          "description": "A JWS, signed by the App Store.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/TransactionProof"},
              "examples": {
                "one": {"value": {"signed_transaction": "eyJhbGciOiJFUzI1NiIsIng1YyI6W119.eyJidW5kbGVJZCI6ImFwcC5leGFtcGxlIn0.c2lnbmF0dXJl"}}
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "What the account has now.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Premium"},
                "examples": {
                  "one": {
                    "value": {
                      "status": "active",
                      "product_id": "premium.yearly",
                      "expires_at": "2027-11-20T10:00:00Z",
                      "app_account_token": "6a1f0c3e-9d2b-8f47-a5c6-0e7d1b2a3c4f"
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/NoSession"},
          "403": {"$ref": "#/components/responses/CrossSite"},
          "404": {"$ref": "#/components/responses/PremiumNotConfigured"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/PurchaseTaken"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidTransaction"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/premium": {
      "get": {
        "operationId": "getPremium",
        "tags": ["Premium"],
        "summary": "What the account has",
        "description": "From what the App Store has said so far.",
        "security": [{"SessionToken": []}],
        "responses": {
          "200": {
            "description": "What the account has now.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Premium"},
                "examples": {
                  "one": {
                    "value": {
                      "status": "active",
                      "product_id": "premium.yearly",
                      "expires_at": "2027-11-20T10:00:00Z",
                      "app_account_token": "6a1f0c3e-9d2b-8f47-a5c6-0e7d1b2a3c4f"
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/NoSession"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/app_store/notifications": {
      "post": {
        "operationId": "receiveStoreNotification",
        "tags": ["Premium"],
        "summary": "From the App Store: notifications, version 2",
        "description": "Each counts once, by its `notificationUUID`; one that was signed before the last that counted changes nothing. Unknown types are taken and ignored.",
        "requestBody": {
          "description": "A JWS, signed by the App Store.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/AppStoreNotification"},
              "examples": {
                "one": {"value": {"signedPayload": "eyJhbGciOiJFUzI1NiIsIng1YyI6W119.eyJidW5kbGVJZCI6ImFwcC5leGFtcGxlIn0.c2lnbmF0dXJl"}}
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "Taken, or known already.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            }
          },
          "400": {"$ref": "#/components/responses/BadNotification"},
          "404": {"$ref": "#/components/responses/PremiumNotConfigured"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/me": {
      "get": {
        "operationId": "readOwnToken",
        "tags": ["Administration"],
        "summary": "The token that asks",
        "description": "Any token may: name, role and permissions, so that a program shows only what its token may do.",
        "security": [{"AccessToken": []}],
        "parameters": [{"$ref": "#/components/parameters/IfNoneMatch"}],
        "responses": {
          "200": {
            "description": "The token that asks.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/OwnToken"},
                "examples": {
                  "moderator": {
                    "value": {
                      "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                      "name": "Zoë",
                      "role": "moderator",
                      "permissions": ["catalogue.read", "suggestions.moderate"],
                      "expires_at": null
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/categories": {
      "get": {
        "operationId": "listCategories",
        "tags": ["Administration"],
        "summary": "The categories of the catalogue",
        "description": "Any token may: the categories that items bear, by name.",
        "security": [{"AccessToken": []}],
        "parameters": [
          {"$ref": "#/components/parameters/Limit"},
          {"$ref": "#/components/parameters/Cursor"},
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "The categories of the catalogue.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
              "Link": {"$ref": "#/components/headers/Link"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/CategoryPage"},
                "examples": {
                  "page": {
                    "value": {
                      "items": [{"name": "press", "count": 42}, {"name": "streaming", "count": 117}],
                      "next_cursor": null
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/catalogue": {
      "get": {
        "operationId": "listAdminCatalogue",
        "tags": ["Administration"],
        "summary": "The catalogue as editors see it",
        "description": "Pages are cut by key: an item that is there all the while is seen exactly once, whatever comes and goes meanwhile.",
        "security": [{"AccessToken": []}],
        "x-permission": "catalogue.read",
        "parameters": [
          {"$ref": "#/components/parameters/Limit"},
          {
            "name": "cursor",
            "in": "query",
            "description": "`next_cursor` of the page before, with all other parameters as they were there. Opaque.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 1024, "pattern": "^[A-Za-z0-9_-]+$"}
          },
          {"$ref": "#/components/parameters/CategoryFilter"},
          {"$ref": "#/components/parameters/TextFilter"},
          {
            "name": "currency",
            "in": "query",
            "description": "Only items in this currency.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^\\u0000]+$"}
          },
          {
            "name": "billing_cycle",
            "in": "query",
            "description": "Only items with this cycle, such as `monthly`.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^\\u0000]+$"}
          },
          {
            "name": "has_logo",
            "in": "query",
            "description": "Only items with a logo, or without.",
            "schema": {"type": "boolean"}
          },
          {
            "name": "sort",
            "in": "query",
            "description": "The order; `-` reverses it. Names are compared without case and accents.",
            "schema": {
              "type": "string",
              "enum": ["name", "-name", "slug", "-slug", "category", "-category", "updated_at", "-updated_at"],
              "default": "name"
            }
          },
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "A page.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
              "Link": {"$ref": "#/components/headers/Link"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AdminCataloguePage"},
                "examples": {
                  "page": {
                    "value": {
                      "items": [
                        {
                          "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                          "name": "Netflix",
                          "slug": "netflix",
                          "category": "streaming",
                          "typical_amount": "14.99",
                          "currency": "EUR",
                          "billing_cycle": "monthly",
                          "website": "https://www.netflix.com",
                          "logo_url": null,
                          "cancel_url": "https://www.netflix.com/cancelplan",
                          "notice_days": 0,
                          "aliases": ["Netflix Standard", "Netflix Premium"],
                          "updated_at": "2026-11-20T10:00:00Z",
                          "revision": 1204
                        }
                      ],
                      "next_cursor": null
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      },
      "post": {
        "operationId": "createCatalogueItem",
        "tags": ["Administration"],
        "summary": "Add an item",
        "description": "The change and its audit row are one transaction. The body has at most 64 KiB.",
        "security": [{"AccessToken": []}],
        "x-permission": "catalogue.write",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "description": "The item.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/NewCatalogueItem"},
              "examples": {
                "full": {
                  "value": {
                    "name": "L’Équipe",
                    "slug": "l-equipe",
                    "category": "press",
                    "typical_amount": "13.49",
                    "currency": "EUR",
                    "billing_cycle": "monthly",
                    "website": "https://www.lequipe.fr",
                    "cancel_url": "https://www.lequipe.fr/compte",
                    "notice_days": 30,
                    "aliases": ["L'Équipe Premium"]
                  }
                },
                "short": {
                  "value": {
                    "name": "Tokyo Metro",
                    "category": "transport",
                    "typical_amount": "1200",
                    "currency": "JPY",
                    "billing_cycle": "every:18m"
                  }
                }
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "It exists now, and devices are told of it.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ItemETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
              "Location": {"$ref": "#/components/headers/Location"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AdminCatalogueItem"},
                "examples": {
                  "created": {
                    "value": {
                      "id": "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60",
                      "name": "L’Équipe",
                      "slug": "l-equipe",
                      "category": "press",
                      "typical_amount": "13.49",
                      "currency": "EUR",
                      "billing_cycle": "monthly",
                      "website": "https://www.lequipe.fr",
                      "logo_url": null,
                      "cancel_url": "https://www.lequipe.fr/compte",
                      "notice_days": 30,
                      "aliases": ["L'Équipe Premium"],
                      "updated_at": "2026-11-20T10:00:00Z",
                      "revision": 1205
                    }
                  }
                }
              }
            },
            "links": {
              "read": {"operationId": "getAdminCatalogueItem", "parameters": {"id": "$response.body#/id"}},
              "change": {
                "operationId": "updateCatalogueItem",
                "parameters": {"id": "$response.body#/id", "If-Match": "$response.header.ETag"}
              },
              "delete": {
                "operationId": "deleteCatalogueItem",
                "parameters": {"id": "$response.body#/id", "If-Match": "$response.header.ETag"}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/Conflict"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/catalogue/{id}": {
      "get": {
        "operationId": "getAdminCatalogueItem",
        "tags": ["Administration"],
        "summary": "One item with its revision",
        "description": "Its `ETag` is what a change sends in `If-Match`.",
        "security": [{"AccessToken": []}],
        "x-permission": "catalogue.read",
        "parameters": [{"$ref": "#/components/parameters/ItemID"}, {"$ref": "#/components/parameters/IfNoneMatch"}],
        "responses": {
          "200": {
            "description": "The item.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ItemETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AdminCatalogueItem"},
                "examples": {
                  "item": {
                    "value": {
                      "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                      "name": "Netflix",
                      "slug": "netflix",
                      "category": "streaming",
                      "typical_amount": "14.99",
                      "currency": "EUR",
                      "billing_cycle": "monthly",
                      "website": "https://www.netflix.com",
                      "logo_url": null,
                      "cancel_url": "https://www.netflix.com/cancelplan",
                      "notice_days": 0,
                      "aliases": ["Netflix Standard", "Netflix Premium"],
                      "updated_at": "2026-11-20T10:00:00Z",
                      "revision": 1204
                    }
                  }
                }
              }
            }
          },
          "301": {
            "description": "It was merged into another item.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Location": {"$ref": "#/components/headers/Location"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      },
      "patch": {
        "operationId": "updateCatalogueItem",
        "tags": ["Administration"],
        "summary": "Change an item",
        "description": "Fields that are not named stay. A body that changes nothing gives no new revision. With `If-Match` the change is made only to the revision that it names. The body has at most 64 KiB.",
        "security": [{"AccessToken": []}],
        "x-permission": "catalogue.write",
        "parameters": [{"$ref": "#/components/parameters/ItemID"}, {"$ref": "#/components/parameters/IfMatch"}],
        "requestBody": {
          "description": "The fields to change.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/CatalogueChange"},
              "examples": {
                "price": {"value": {"typical_amount": "15.99"}},
                "cleared": {"value": {"cancel_url": null, "notice_days": null, "aliases": []}}
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The item as it is now.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ItemETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AdminCatalogueItem"},
                "examples": {
                  "item": {
                    "value": {
                      "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                      "name": "Netflix",
                      "slug": "netflix",
                      "category": "streaming",
                      "typical_amount": "15.99",
                      "currency": "EUR",
                      "billing_cycle": "monthly",
                      "website": "https://www.netflix.com",
                      "logo_url": null,
                      "cancel_url": "https://www.netflix.com/cancelplan",
                      "notice_days": 0,
                      "aliases": ["Netflix Standard", "Netflix Premium"],
                      "updated_at": "2026-11-20T10:00:00Z",
                      "revision": 1206
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/SlugTaken"},
          "412": {"$ref": "#/components/responses/PreconditionFailed"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      },
      "delete": {
        "operationId": "deleteCatalogueItem",
        "tags": ["Administration"],
        "summary": "Delete an item",
        "description": "Devices learn of it with their next synchronisation. With `If-Match` only the revision that it names is deleted.",
        "security": [{"AccessToken": []}],
        "x-permission": "catalogue.write",
        "parameters": [{"$ref": "#/components/parameters/ItemID"}, {"$ref": "#/components/parameters/IfMatch"}],
        "responses": {
          "204": {
            "description": "It is gone.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "412": {"$ref": "#/components/responses/PreconditionFailed"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/catalogue/{id}/logo": {
      "put": {
        "operationId": "putCatalogueLogo",
        "tags": ["Administration"],
        "summary": "Set an item's logo",
        "description": "The body is the image: PNG, JPEG or WebP, told by its content and not by its declared type, of less than 500,000 bytes and at most 1024 pixels a side. Its whole structure is read; what goes on behind the image is refused.",
        "security": [{"AccessToken": []}],
        "x-permission": "catalogue.write",
        "parameters": [{"$ref": "#/components/parameters/ItemID"}, {"$ref": "#/components/parameters/IfMatch"}],
        "requestBody": {
          "description": "The image.",
          "required": true,
          "content": {
            "image/png": {
              "schema": {"type": "string", "contentMediaType": "image/png"},
              "examples": {
                "image": {
                  "summary": "The bytes of the file",
                  "externalValue": "/logos/9f2c5a7e1b3d4f60718293a4b5c6d7e8f9012a3b4c5d6e7f8091a2b3c4d5e6f7.png"
                }
              }
            },
            "image/jpeg": {
              "schema": {"type": "string", "contentMediaType": "image/jpeg"},
              "examples": {
                "image": {
                  "summary": "The bytes of the file",
                  "externalValue": "/logos/9f2c5a7e1b3d4f60718293a4b5c6d7e8f9012a3b4c5d6e7f8091a2b3c4d5e6f7.jpg"
                }
              }
            },
            "image/webp": {
              "schema": {"type": "string", "contentMediaType": "image/webp"},
              "examples": {
                "image": {
                  "summary": "The bytes of the file",
                  "externalValue": "/logos/9f2c5a7e1b3d4f60718293a4b5c6d7e8f9012a3b4c5d6e7f8091a2b3c4d5e6f7.webp"
                }
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The item with its `logo_url`.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ItemETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AdminCatalogueItem"},
                "examples": {
                  "item": {
                    "value": {
                      "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                      "name": "Netflix",
                      "slug": "netflix",
                      "category": "streaming",
                      "typical_amount": "14.99",
                      "currency": "EUR",
                      "billing_cycle": "monthly",
                      "website": "https://www.netflix.com",
                      "logo_url": "/logos/9f2c5a7e1b3d4f60718293a4b5c6d7e8f9012a3b4c5d6e7f8091a2b3c4d5e6f7.png",
                      "cancel_url": "https://www.netflix.com/cancelplan",
                      "notice_days": 0,
                      "aliases": ["Netflix Standard"],
                      "updated_at": "2026-11-20T10:00:00Z",
                      "revision": 1208
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "412": {"$ref": "#/components/responses/PreconditionFailed"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      },
      "delete": {
        "operationId": "deleteCatalogueLogo",
        "tags": ["Administration"],
        "summary": "Take an item's logo away",
        "description": "The file goes when no item has shown it for 30 days.",
        "security": [{"AccessToken": []}],
        "x-permission": "catalogue.write",
        "parameters": [{"$ref": "#/components/parameters/ItemID"}, {"$ref": "#/components/parameters/IfMatch"}],
        "responses": {
          "204": {
            "description": "It has none now.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "412": {"$ref": "#/components/responses/PreconditionFailed"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/catalogue/{id}/merge": {
      "post": {
        "operationId": "mergeCatalogueItems",
        "tags": ["Administration"],
        "summary": "Merge duplicates into an item",
        "description": "In one transaction: names and aliases of the duplicates become aliases, empty fields are filled from them, approved suggestions and the ranking follow, and the old ids redirect for good. Devices are told with `merged_into`.",
        "security": [{"AccessToken": []}],
        "x-permission": "catalogue.write",
        "parameters": [
          {"$ref": "#/components/parameters/ItemID"},
          {"$ref": "#/components/parameters/IfMatch"},
          {"$ref": "#/components/parameters/IdempotencyKey"}
        ],
        "requestBody": {
          "description": "What to merge.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/Merge"},
              "examples": {"one": {"value": {"duplicate_ids": ["01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60"]}}}
            }
          }
        },
        "responses": {
          "200": {
            "description": "The item as it is now.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ItemETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AdminCatalogueItem"},
                "examples": {
                  "merged": {
                    "value": {
                      "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                      "name": "Netflix",
                      "slug": "netflix",
                      "category": "streaming",
                      "typical_amount": "14.99",
                      "currency": "EUR",
                      "billing_cycle": "monthly",
                      "website": "https://www.netflix.com",
                      "logo_url": null,
                      "cancel_url": "https://www.netflix.com/cancelplan",
                      "notice_days": 0,
                      "aliases": ["Netflix Standard", "Netfix"],
                      "updated_at": "2026-11-20T10:00:00Z",
                      "revision": 1209
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/RequestConflict"},
          "412": {"$ref": "#/components/responses/PreconditionFailed"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/catalogue/{id}/history": {
      "get": {
        "operationId": "getCatalogueHistory",
        "tags": ["Administration"],
        "summary": "The history of an item",
        "description": "Rows of the audit log about it, newest first, also when it is deleted or merged. `sequence` is what undo takes. Without the permission `audit.read`, `actor`, `token_id` and `request_id` are null.",
        "security": [{"AccessToken": []}],
        "x-permission": "catalogue.read",
        "parameters": [
          {"$ref": "#/components/parameters/ItemID"},
          {"$ref": "#/components/parameters/Limit"},
          {"$ref": "#/components/parameters/Cursor"},
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "A page of changes.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
              "Link": {"$ref": "#/components/headers/Link"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AuditPage"},
                "examples": {
                  "page": {
                    "value": {
                      "items": [
                        {
                          "sequence": 4711,
                          "happened_at": "2026-11-20T10:00:00Z",
                          "actor": "Zoë, editor",
                          "token_id": "01934f0e-7c2c-7b21-9a11-2c3d4e5f6071",
                          "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e",
                          "action": "catalogue.update",
                          "subject_id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                          "before": {"name": "Netfix"},
                          "after": {"name": "Netflix"},
                          "hash": "9f2c5a7e1b3d4f60718293a4b5c6d7e8f9012a3b4c5d6e7f8091a2b3c4d5e6f7"
                        }
                      ],
                      "next_cursor": null
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/catalogue/{id}/undo": {
      "post": {
        "operationId": "undoCatalogueChange",
        "tags": ["Administration"],
        "summary": "Take a change back",
        "description": "The item becomes what it was before one of its changes, by default the latest. A deleted or merged item comes back under its id; undoing the making of an item deletes it. An undo is a change like any other and can be undone.",
        "security": [{"AccessToken": []}],
        "x-permission": "catalogue.write",
        "parameters": [
          {"$ref": "#/components/parameters/ItemID"},
          {"$ref": "#/components/parameters/IfMatch"},
          {"$ref": "#/components/parameters/IdempotencyKey"}
        ],
        "requestBody": {
          "description": "Which change; left out, the latest.",
          "required": false,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/Undo"},
              "examples": {"one": {"value": {"sequence": 4711}}}
            }
          }
        },
        "responses": {
          "200": {
            "description": "The item as it is again.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ItemETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AdminCatalogueItem"},
                "examples": {
                  "item": {
                    "value": {
                      "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                      "name": "Netflix",
                      "slug": "netflix",
                      "category": "streaming",
                      "typical_amount": "14.99",
                      "currency": "EUR",
                      "billing_cycle": "monthly",
                      "website": "https://www.netflix.com",
                      "logo_url": null,
                      "cancel_url": "https://www.netflix.com/cancelplan",
                      "notice_days": 0,
                      "aliases": ["Netflix Standard"],
                      "updated_at": "2026-11-20T10:00:00Z",
                      "revision": 1207
                    }
                  }
                }
              }
            }
          },
          "204": {
            "description": "Its making was undone: it is gone.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/UndoConflict"},
          "412": {"$ref": "#/components/responses/PreconditionFailed"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/catalogue/duplicates": {
      "get": {
        "operationId": "listCatalogueDuplicates",
        "tags": ["Administration"],
        "summary": "Likely duplicates",
        "description": "Pairs of items whose names or aliases resemble each other, best first. 100 is the same name, case, accents and blanks aside; each letter that differs costs, a shared website adds.",
        "security": [{"AccessToken": []}],
        "x-permission": "catalogue.read",
        "parameters": [
          {"$ref": "#/components/parameters/Limit"},
          {"$ref": "#/components/parameters/Cursor"},
          {
            "name": "min_score",
            "in": "query",
            "description": "The least score.",
            "schema": {"type": "integer", "minimum": 0, "maximum": 100, "default": 80}
          },
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "A page of pairs.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
              "Link": {"$ref": "#/components/headers/Link"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/DuplicatePage"},
                "examples": {
                  "page": {
                    "value": {
                      "items": [
                        {
                          "score": 95,
                          "reasons": ["similar_name", "same_website"],
                          "items": [
                            {
                              "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                              "name": "Netflix",
                              "slug": "netflix",
                              "category": "streaming",
                              "typical_amount": "14.99",
                              "currency": "EUR",
                              "billing_cycle": "monthly",
                              "website": "https://www.netflix.com",
                              "logo_url": null,
                              "cancel_url": "https://www.netflix.com/cancelplan",
                              "notice_days": 0,
                              "aliases": ["Netflix Standard"],
                              "updated_at": "2026-11-20T10:00:00Z",
                              "revision": 1207
                            },
                            {
                              "id": "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60",
                              "name": "Netfix",
                              "slug": "netfix",
                              "category": "streaming",
                              "typical_amount": "14.99",
                              "currency": "EUR",
                              "billing_cycle": "monthly",
                              "website": "https://www.netflix.com",
                              "logo_url": null,
                              "cancel_url": "https://www.netflix.com/cancelplan",
                              "notice_days": 0,
                              "aliases": [],
                              "updated_at": "2026-11-20T10:00:00Z",
                              "revision": 1206
                            }
                          ]
                        }
                      ],
                      "next_cursor": null
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/catalogue/import": {
      "post": {
        "operationId": "importCatalogue",
        "tags": ["Administration"],
        "summary": "Import a file",
        "description": "CSV in the columns of the export, or JSON: an array of items or `{\"items\": […]}`. Items are found by their slug; all rows are taken or none, unless `skip_bad`. At most 100,000 rows and 32 MiB. `GET …/imports` tells how far it is.",
        "security": [{"AccessToken": []}],
        "x-permission": "catalogue.write",
        "parameters": [
          {
            "name": "dry_run",
            "in": "query",
            "description": "Only say what would change.",
            "schema": {"type": "boolean", "default": false}
          },
          {
            "name": "skip_bad",
            "in": "query",
            "description": "Leave out rows that fail, instead of refusing the file.",
            "schema": {"type": "boolean", "default": false}
          },
          {"$ref": "#/components/parameters/IdempotencyKey"}
        ],
        "requestBody": {
          "description": "The file.",
          "required": true,
          "content": {
            "text/csv": {
              "schema": {"type": "string"},
              "examples": {
                "file": {
                  "value": "name,slug,category,typical_amount,currency,billing_cycle\r\nNetflix,netflix,streaming,14.99,EUR,monthly\r\n"
                }
              }
            },
            "application/json": {
              "schema": {
                "anyOf": [
                  {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": 100000,
                    "items": {"$ref": "#/components/schemas/NewCatalogueItem"}
                  },
                  {
                    "type": "object",
                    "properties": {
                      "items": {
                        "type": "array",
                        "minItems": 1,
                        "maxItems": 100000,
                        "items": {"$ref": "#/components/schemas/NewCatalogueItem"}
                      }
                    },
                    "required": ["items"]
                  }
                ]
              },
              "examples": {
                "items": {
                  "value": [
                    {
                      "name": "Tokyo Metro",
                      "category": "transport",
                      "typical_amount": "1200",
                      "currency": "JPY",
                      "billing_cycle": "every:18m"
                    }
                  ]
                }
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "What was done, or would be.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/ImportReport"},
                "examples": {
                  "applied": {
                    "value": {
                      "dry_run": false,
                      "applied": true,
                      "rows": 2,
                      "inserted": 1,
                      "updated": 1,
                      "unchanged": 0,
                      "failed": []
                    }
                  },
                  "dry_run": {
                    "value": {
                      "dry_run": true,
                      "applied": false,
                      "rows": 3,
                      "inserted": 1,
                      "updated": 1,
                      "unchanged": 0,
                      "failed": [
                        {
                          "row": 3,
                          "errors": [
                            {
                              "pointer": "#/line/3/currency",
                              "code": "unknown_currency",
                              "detail": "Must be the ISO 4217 code of a currency, such as EUR."
                            }
                          ]
                        }
                      ]
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/RequestConflict"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/RefusedImport"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/catalogue/imports": {
      "get": {
        "operationId": "listCatalogueImports",
        "tags": ["Administration"],
        "summary": "How far imports are",
        "description": "Those of this process that run, and the last ones that ended, newest first.",
        "security": [{"AccessToken": []}],
        "x-permission": "catalogue.read",
        "parameters": [{"$ref": "#/components/parameters/IfNoneMatch"}],
        "responses": {
          "200": {
            "description": "The imports.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/ImportList"},
                "examples": {
                  "running": {
                    "value": {
                      "items": [
                        {
                          "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                          "state": "running",
                          "dry_run": false,
                          "rows": 50000,
                          "percent": 62,
                          "started_at": "2026-11-20T10:00:00Z",
                          "finished_at": null
                        }
                      ],
                      "next_cursor": null
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/catalogue/export": {
      "get": {
        "operationId": "exportCatalogue",
        "tags": ["Administration"],
        "summary": "Export the catalogue",
        "description": "What import reads back as it is. Logos and dates are not in the file; ids are in JSON only.",
        "security": [{"AccessToken": []}],
        "x-permission": "catalogue.read",
        "parameters": [
          {
            "name": "format",
            "in": "query",
            "description": "`csv` is for spreadsheets: no cell is run as a formula.",
            "schema": {"enum": ["csv", "json"], "default": "csv"}
          },
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "The whole catalogue, sorted by slug.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
              "Content-Disposition": {"description": "A name for the file.", "schema": {"type": "string"}}
            },
            "content": {
              "text/csv": {
                "schema": {"type": "string"},
                "examples": {
                  "file": {
                    "value": "name,slug,category,typical_amount,currency,billing_cycle\r\nNetflix,netflix,streaming,14.99,EUR,monthly\r\n"
                  }
                }
              },
              "application/json": {
                "schema": {"$ref": "#/components/schemas/CatalogueFile"},
                "examples": {
                  "file": {
                    "value": {
                      "items": [
                        {
                          "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                          "name": "Netflix",
                          "slug": "netflix",
                          "category": "streaming",
                          "typical_amount": "14.99",
                          "currency": "EUR",
                          "billing_cycle": "monthly",
                          "website": "https://www.netflix.com",
                          "cancel_url": "https://www.netflix.com/cancelplan",
                          "notice_days": 0,
                          "aliases": ["Netflix Standard"]
                        }
                      ]
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/suggestions": {
      "get": {
        "operationId": "listAdminSuggestions",
        "tags": ["Administration"],
        "summary": "Suggestions to decide on",
        "description": "Grouped by name, case and accents aside. `nearest_item` is what a pending one probably means; letters of other alphabets that look like Latin ones count as those where a word mixes them.",
        "security": [{"AccessToken": []}],
        "x-permission": "suggestions.moderate",
        "parameters": [
          {"$ref": "#/components/parameters/Limit"},
          {"$ref": "#/components/parameters/Cursor"},
          {
            "name": "status",
            "in": "query",
            "description": "What has been decided.",
            "schema": {"enum": ["pending", "approved", "rejected", "all"], "default": "pending"}
          },
          {
            "name": "sort",
            "in": "query",
            "description": "The order, largest first.",
            "schema": {"enum": ["-count", "-last_seen_at"], "default": "-count"}
          },
          {
            "name": "q",
            "in": "query",
            "description": "Only names that hold this text, case and accents aside.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^\\u0000]+$"}
          },
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "A page of suggestions.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
              "Link": {"$ref": "#/components/headers/Link"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/SuggestionGroupPage"},
                "examples": {
                  "page": {
                    "value": {
                      "items": [
                        {
                          "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                          "name": "Netfix",
                          "status": "pending",
                          "count": 12,
                          "first_seen_at": "2026-11-20T10:00:00Z",
                          "last_seen_at": "2026-11-21T08:30:00Z",
                          "item_id": null,
                          "decided_at": null,
                          "mixed_scripts": false,
                          "scripts": ["Latin"],
                          "nearest_item": {
                            "id": "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60",
                            "name": "Netflix",
                            "score": 86
                          }
                        }
                      ],
                      "next_cursor": null
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/suggestions/{id}/approve": {
      "post": {
        "operationId": "approveSuggestion",
        "tags": ["Administration"],
        "summary": "Approve a suggestion",
        "description": "With the fields of an item it becomes a new item, named as suggested unless the body says otherwise; with `merge_into` its name becomes an alias of that item. One transaction.",
        "security": [{"AccessToken": []}],
        "x-permission": "suggestions.moderate",
        "parameters": [
          {"$ref": "#/components/parameters/SuggestionID"},
          {"$ref": "#/components/parameters/IdempotencyKey"}
        ],
        "requestBody": {
          "description": "A new item, or the item that it names.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "anyOf": [
                  {"$ref": "#/components/schemas/SuggestedItem"},
                  {"$ref": "#/components/schemas/SuggestionMerge"}
                ]
              },
              "examples": {
                "item": {
                  "value": {
                    "category": "streaming",
                    "typical_amount": "14.99",
                    "currency": "EUR",
                    "billing_cycle": "monthly"
                  }
                },
                "alias": {"value": {"merge_into": "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60"}}
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "What it became.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/DecidedSuggestion"},
                "examples": {
                  "approved": {
                    "value": {
                      "suggestion": {
                        "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                        "name": "Netfix",
                        "status": "approved",
                        "count": 12,
                        "first_seen_at": "2026-11-20T10:00:00Z",
                        "last_seen_at": "2026-11-21T08:30:00Z",
                        "item_id": "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60",
                        "decided_at": "2026-11-21T09:00:00Z",
                        "mixed_scripts": false,
                        "scripts": ["Latin"],
                        "nearest_item": null
                      },
                      "item": {
                        "id": "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60",
                        "name": "Netflix",
                        "slug": "netflix",
                        "category": "streaming",
                        "typical_amount": "14.99",
                        "currency": "EUR",
                        "billing_cycle": "monthly",
                        "website": "https://www.netflix.com",
                        "logo_url": null,
                        "cancel_url": "https://www.netflix.com/cancelplan",
                        "notice_days": 0,
                        "aliases": ["Netflix Standard"],
                        "updated_at": "2026-11-20T10:00:00Z",
                        "revision": 1207
                      }
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/SuggestionConflict"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/suggestions/{id}/reject": {
      "post": {
        "operationId": "rejectSuggestion",
        "tags": ["Administration"],
        "summary": "Reject a suggestion",
        "description": "It leaves the list and stays known, so that it does not come back. Rejecting it again changes nothing.",
        "security": [{"AccessToken": []}],
        "x-permission": "suggestions.moderate",
        "parameters": [
          {"$ref": "#/components/parameters/SuggestionID"},
          {"$ref": "#/components/parameters/IdempotencyKey"}
        ],
        "responses": {
          "200": {
            "description": "The suggestion.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/DecidedSuggestion"},
                "examples": {
                  "rejected": {
                    "value": {
                      "suggestion": {
                        "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                        "name": "Netfix",
                        "status": "rejected",
                        "count": 12,
                        "first_seen_at": "2026-11-20T10:00:00Z",
                        "last_seen_at": "2026-11-21T08:30:00Z",
                        "item_id": null,
                        "decided_at": "2026-11-21T09:00:00Z",
                        "mixed_scripts": false,
                        "scripts": ["Latin"],
                        "nearest_item": null
                      },
                      "item": null
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/DecisionConflict"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/suggestions/{id}/reopen": {
      "post": {
        "operationId": "reopenSuggestion",
        "tags": ["Administration"],
        "summary": "Reopen a suggestion",
        "description": "Puts an approved or rejected suggestion back into the queue. The item or alias that an approved one became stays. Reopening a pending one changes nothing.",
        "security": [{"AccessToken": []}],
        "x-permission": "suggestions.moderate",
        "parameters": [
          {"$ref": "#/components/parameters/SuggestionID"},
          {"$ref": "#/components/parameters/IdempotencyKey"}
        ],
        "responses": {
          "200": {
            "description": "The suggestion.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/DecidedSuggestion"},
                "examples": {
                  "reopened": {
                    "value": {
                      "suggestion": {
                        "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                        "name": "Netfix",
                        "status": "pending",
                        "count": 12,
                        "first_seen_at": "2026-11-20T10:00:00Z",
                        "last_seen_at": "2026-11-21T08:30:00Z",
                        "item_id": null,
                        "decided_at": null,
                        "nearest_item": null
                      },
                      "item": null
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/RequestConflict"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/suggestions/bulk": {
      "post": {
        "operationId": "moderateSuggestions",
        "tags": ["Administration"],
        "summary": "Decide on many",
        "description": "One transaction, with a result for each id. `approve` makes each name an alias of its `nearest_item`. A deleted one is forgotten: its name may be suggested anew.",
        "security": [{"AccessToken": []}],
        "x-permission": "suggestions.moderate",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "description": "Which, and what to do.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/Bulk"},
              "examples": {
                "reject": {
                  "value": {
                    "ids": ["01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b", "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60"],
                    "action": "reject"
                  }
                }
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "What became of each.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/BulkResults"},
                "examples": {
                  "results": {
                    "value": {
                      "results": [
                        {"id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b", "result": "rejected"},
                        {"id": "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60", "result": "not_found"}
                      ]
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/RequestConflict"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/tokens": {
      "get": {
        "operationId": "listAccessTokens",
        "tags": ["Administration"],
        "summary": "The tokens",
        "description": "Every token ever made, oldest first, without its secret. `last_used_at` is true to the minute.",
        "security": [{"AccessToken": []}],
        "x-permission": "access.manage",
        "parameters": [
          {"$ref": "#/components/parameters/Limit"},
          {"$ref": "#/components/parameters/Cursor"},
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "A page of tokens.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
              "Link": {"$ref": "#/components/headers/Link"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AccessTokenPage"},
                "examples": {
                  "page": {
                    "value": {
                      "items": [
                        {
                          "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                          "name": "weekly report",
                          "role": "analyst",
                          "permissions": ["metrics.read", "alerts.read"],
                          "begins": "sgt_j4Cb",
                          "status": "valid",
                          "created_at": "2026-11-20T10:00:00Z",
                          "expires_at": "2027-02-28T10:00:00Z",
                          "last_used_at": null,
                          "revoked_at": null
                        }
                      ],
                      "next_cursor": null
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      },
      "post": {
        "operationId": "createAccessToken",
        "tags": ["Administration"],
        "summary": "Make a token",
        "description": "Its text is in this answer and nowhere else: the store keeps its hash. Nobody can make a token that may do more than their own.",
        "security": [{"AccessToken": []}],
        "x-permission": "access.manage",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "description": "Whom it is for.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/NewAccessToken"},
              "examples": {
                "analyst": {
                  "value": {"name": "weekly report", "role": "analyst", "expires_at": "2027-02-28T10:00:00Z"}
                }
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "It exists now; keep `token`.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/CreatedAccessToken"},
                "examples": {
                  "created": {
                    "value": {
                      "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                      "name": "weekly report",
                      "role": "analyst",
                      "permissions": ["metrics.read", "alerts.read"],
                      "begins": "sgt_j4Cb",
                      "status": "valid",
                      "created_at": "2026-11-20T10:00:00Z",
                      "expires_at": "2027-02-28T10:00:00Z",
                      "last_used_at": null,
                      "revoked_at": null,
                      "token": "sgt_j4CbWq0dXr3uY8nLk5tZpA1sVfGh2JmE7oBiCxDyQ6w"
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/RequestConflict"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/tokens/{id}": {
      "delete": {
        "operationId": "revokeAccessToken",
        "tags": ["Administration"],
        "summary": "Revoke a token",
        "description": "Holds at once, in other processes too. One that is revoked already stays as it is. The last token of an owner can be revoked at the command line only.",
        "security": [{"AccessToken": []}],
        "x-permission": "access.manage",
        "parameters": [{"$ref": "#/components/parameters/TokenID"}],
        "responses": {
          "204": {
            "description": "It opens nothing any more.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/LastOwner"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/roles": {
      "get": {
        "operationId": "listRoles",
        "tags": ["Administration"],
        "summary": "The roles",
        "description": "Those of the program, then those of your own by name.",
        "security": [{"AccessToken": []}],
        "x-permission": "access.manage",
        "parameters": [{"$ref": "#/components/parameters/IfNoneMatch"}],
        "responses": {
          "200": {
            "description": "All roles.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/RoleList"},
                "examples": {
                  "roles": {
                    "value": {
                      "items": [
                        {
                          "name": "editor",
                          "permissions": ["catalogue.read", "catalogue.write", "suggestions.moderate"],
                          "built_in": true
                        },
                        {"name": "support", "permissions": ["catalogue.read"], "built_in": false}
                      ],
                      "next_cursor": null
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      },
      "put": {
        "operationId": "replaceRoles",
        "tags": ["Administration"],
        "summary": "Replace the roles of your own",
        "description": "The list replaces your own roles. Built-in roles may stand in it as they are, so that what GET gave can be sent back; they cannot be changed. A role whose tokens still hold cannot be taken away.",
        "security": [{"AccessToken": []}],
        "x-permission": "access.manage",
        "parameters": [{"$ref": "#/components/parameters/IfMatch"}],
        "requestBody": {
          "description": "The whole list.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/RoleListChange"},
              "examples": {"support": {"value": {"items": [{"name": "support", "permissions": ["catalogue.read"]}]}}}
            }
          }
        },
        "responses": {
          "200": {
            "description": "All roles as they are now.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/RoleList"},
                "examples": {
                  "roles": {
                    "value": {
                      "items": [
                        {
                          "name": "editor",
                          "permissions": ["catalogue.read", "catalogue.write", "suggestions.moderate"],
                          "built_in": true
                        },
                        {"name": "support", "permissions": ["catalogue.read"], "built_in": false}
                      ],
                      "next_cursor": null
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/RoleInUse"},
          "412": {"$ref": "#/components/responses/PreconditionFailed"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/audit": {
      "get": {
        "operationId": "listAudit",
        "tags": ["Administration"],
        "summary": "The audit log",
        "description": "Who changed what, newest first; written in the transaction of the change, and never altered: each row's `hash` covers the row before it. `subguardd audit verify` proves the chain, `subguardd audit export` writes all of it.",
        "security": [{"AccessToken": []}],
        "x-permission": "audit.read",
        "parameters": [
          {"$ref": "#/components/parameters/Limit"},
          {"$ref": "#/components/parameters/Cursor"},
          {
            "name": "action",
            "in": "query",
            "description": "Only changes of this kind, such as `catalogue.update`.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[^\\u0000]+$"}
          },
          {
            "name": "subject_id",
            "in": "query",
            "description": "Only changes of this thing.",
            "schema": {"$ref": "#/components/schemas/GivenID"}
          },
          {
            "name": "token_id",
            "in": "query",
            "description": "Only changes made with this token.",
            "schema": {"$ref": "#/components/schemas/GivenID"}
          },
          {
            "name": "format",
            "in": "query",
            "description": "`jsonl`: one row a line.",
            "schema": {"enum": ["json", "jsonl"], "default": "json"}
          },
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "A page of rows.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
              "Link": {"$ref": "#/components/headers/Link"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AuditPage"},
                "examples": {
                  "page": {
                    "value": {
                      "items": [
                        {
                          "sequence": 4711,
                          "happened_at": "2026-11-20T10:00:00Z",
                          "actor": "Zoë, editor",
                          "token_id": "01934f0e-7c2c-7b21-9a11-2c3d4e5f6071",
                          "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e",
                          "action": "catalogue.update",
                          "subject_id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                          "before": {"name": "Netfix"},
                          "after": {"name": "Netflix"},
                          "hash": "9f2c5a7e1b3d4f60718293a4b5c6d7e8f9012a3b4c5d6e7f8091a2b3c4d5e6f7"
                        }
                      ],
                      "next_cursor": null
                    }
                  }
                }
              },
              "application/jsonl": {
                "schema": {"type": "string"},
                "examples": {
                  "line": {
                    "value": "{\"sequence\": 4711, \"happened_at\": \"2026-11-20T10:00:00Z\", \"actor\": \"Zoë, editor\", \"token_id\": \"01934f0e-7c2c-7b21-9a11-2c3d4e5f6071\", \"request_id\": \"0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e\", \"action\": \"catalogue.update\", \"subject_id\": \"01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b\", \"before\": {\"name\": \"Netfix\"}, \"after\": {\"name\": \"Netflix\"}, \"hash\": \"9f2c5a7e1b3d4f60718293a4b5c6d7e8f9012a3b4c5d6e7f8091a2b3c4d5e6f7\"}\n"
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/alerts": {
      "get": {
        "operationId": "getAlerts",
        "tags": ["Administration"],
        "summary": "Thresholds, channels and the delivery log",
        "description": "`items` are the deliveries, newest first. The `ETag` also serves as `If-Match` of a change of the thresholds.",
        "security": [{"AccessToken": []}],
        "x-permission": "alerts.read",
        "parameters": [
          {"$ref": "#/components/parameters/Limit"},
          {"$ref": "#/components/parameters/Cursor"},
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "Thresholds, channels and a page of deliveries.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
              "Link": {"$ref": "#/components/headers/Link"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Alerts"},
                "examples": {
                  "page": {
                    "value": {
                      "thresholds": [
                        {"threshold": 1000, "active": true, "fired_at": "2026-11-20T10:00:00Z", "user_count": 1003},
                        {"threshold": 5000, "active": true, "fired_at": null, "user_count": null}
                      ],
                      "channels": [
                        {
                          "channel": "webhook",
                          "target": "https://hooks.example.org/…",
                          "disabled_at": null,
                          "disabled_reason": null
                        }
                      ],
                      "items": [
                        {
                          "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                          "kind": "threshold",
                          "threshold": 1000,
                          "channel": "webhook",
                          "target": "https://hooks.example.org/…",
                          "status": "retrying",
                          "attempts": 1,
                          "created_at": "2026-11-20T10:00:00Z",
                          "last_attempt_at": "2026-11-20T10:00:00.250Z",
                          "next_attempt_at": "2026-11-20T10:00:05.113Z",
                          "delivered_at": null,
                          "last_error": "HTTP 503"
                        }
                      ],
                      "next_cursor": null
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/alerts/thresholds": {
      "get": {
        "operationId": "getAlertThresholds",
        "tags": ["Administration"],
        "summary": "The thresholds",
        "description": "Those of the present list, and those that fired while they were in it.",
        "security": [{"AccessToken": []}],
        "x-permission": "alerts.read",
        "parameters": [{"$ref": "#/components/parameters/IfNoneMatch"}],
        "responses": {
          "200": {
            "description": "The thresholds.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AlertThresholds"},
                "examples": {
                  "thresholds": {
                    "value": {
                      "thresholds": [
                        {"threshold": 1000, "active": true, "fired_at": "2026-11-20T10:00:00Z", "user_count": 1003},
                        {"threshold": 5000, "active": true, "fired_at": null, "user_count": null}
                      ]
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      },
      "put": {
        "operationId": "replaceAlertThresholds",
        "tags": ["Administration"],
        "summary": "Replace the thresholds",
        "description": "Numbers of users, each announced once, ever. One that lies at or under the present number of users and never fired fires at once; one that has fired stays fired, also when it was taken out and is put back. With `If-Match` the list is replaced only at the revision that it names. The body has at most 64 KiB.",
        "security": [{"AccessToken": []}],
        "x-permission": "alerts.write",
        "parameters": [{"$ref": "#/components/parameters/IfMatch"}],
        "requestBody": {
          "description": "The whole list.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/AlertThresholdChange"},
              "examples": {"list": {"value": {"thresholds": [1000, 5000]}}}
            }
          }
        },
        "responses": {
          "200": {
            "description": "The thresholds as they are now.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AlertThresholds"},
                "examples": {
                  "thresholds": {
                    "value": {
                      "thresholds": [
                        {"threshold": 1000, "active": true, "fired_at": "2026-11-20T10:00:00Z", "user_count": 1003},
                        {"threshold": 5000, "active": true, "fired_at": null, "user_count": null}
                      ]
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "412": {"$ref": "#/components/responses/PreconditionFailed"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/alerts/test": {
      "post": {
        "operationId": "testAlerts",
        "tags": ["Administration"],
        "summary": "Send a test alert",
        "description": "Through one channel, or through every configured one. The messages are in the outbox when the answer leaves; what becomes of them shows in the delivery log. A disabled channel is tried all the same.",
        "security": [{"AccessToken": []}],
        "x-permission": "alerts.write",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "description": "The channel; every configured one without it.",
          "required": false,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/AlertTest"},
              "examples": {"one": {"value": {"channel": "slack"}}}
            }
          }
        },
        "responses": {
          "202": {
            "description": "The messages are on their way.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AlertDeliveries"},
                "examples": {
                  "one": {
                    "value": {
                      "deliveries": [
                        {
                          "id": "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60",
                          "kind": "test",
                          "threshold": null,
                          "channel": "slack",
                          "target": "https://hooks.slack.com/…",
                          "status": "pending",
                          "attempts": 0,
                          "created_at": "2026-11-20T10:00:00Z",
                          "last_attempt_at": null,
                          "next_attempt_at": "2026-11-20T10:00:00Z",
                          "delivered_at": null,
                          "last_error": null
                        }
                      ]
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/AlertConflict"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/alerts/deliveries/{id}/resend": {
      "post": {
        "operationId": "resendAlert",
        "tags": ["Administration"],
        "summary": "Send a delivery once more",
        "description": "Whatever became of it, with attempts and pauses from the start, under the same id.",
        "security": [{"AccessToken": []}],
        "x-permission": "alerts.write",
        "parameters": [{"$ref": "#/components/parameters/ItemID"}, {"$ref": "#/components/parameters/IdempotencyKey"}],
        "responses": {
          "202": {
            "description": "It is on its way.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AlertDeliveries"},
                "examples": {
                  "one": {
                    "value": {
                      "deliveries": [
                        {
                          "id": "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60",
                          "kind": "test",
                          "threshold": null,
                          "channel": "slack",
                          "target": "https://hooks.slack.com/…",
                          "status": "pending",
                          "attempts": 0,
                          "created_at": "2026-11-20T10:00:00Z",
                          "last_attempt_at": null,
                          "next_attempt_at": "2026-11-20T10:00:00Z",
                          "delivered_at": null,
                          "last_error": null
                        }
                      ]
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/AlertConflict"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/crashes": {
      "get": {
        "operationId": "listCrashGroups",
        "tags": ["Administration"],
        "summary": "Crashes by fault",
        "description": "Errors, crashes and messages, grouped by what they have in common. Without `sort` the one seen last comes first. With `format=csv` the same page as a table.",
        "security": [{"AccessToken": []}],
        "x-permission": "metrics.read",
        "parameters": [
          {"$ref": "#/components/parameters/Limit"},
          {
            "name": "cursor",
            "in": "query",
            "description": "`next_cursor` of the page before. Opaque.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 1024, "pattern": "^[A-Za-z0-9_-]+$"}
          },
          {
            "name": "status",
            "in": "query",
            "description": "Groups with this status.",
            "schema": {"type": "string", "enum": ["open", "resolved", "ignored", "all"], "default": "all"}
          },
          {
            "name": "sort",
            "in": "query",
            "description": "The order of the groups, the highest value first.",
            "schema": {"type": "string", "enum": ["-last_seen_at", "-first_seen_at", "-count"], "default": "-last_seen_at"}
          },
          {
            "name": "q",
            "in": "query",
            "description": "Part of the title or the culprit. The case of ASCII letters is ignored.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^\\u0000]+$"}
          },
          {
            "name": "format",
            "in": "query",
            "description": "How the page is written.",
            "schema": {"type": "string", "enum": ["json", "csv"], "default": "json"}
          },
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "A page.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
              "Link": {"$ref": "#/components/headers/Link"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/CrashGroupPage"},
                "examples": {
                  "page": {
                    "value": {
                      "items": [
                        {
                          "id": "01934f0e-7c2a-7d3e-9b1a-000000000001",
                          "title": "ZeroDivisionError: division by zero",
                          "culprit": "shop.cart in total",
                          "platform": "python",
                          "level": "error",
                          "status": "open",
                          "count": 12,
                          "first_seen_at": "2026-11-19T08:00:00Z",
                          "last_seen_at": "2026-11-20T10:00:00Z",
                          "decided_at": null,
                          "regressed_at": null,
                          "versions": [
                            {"release": "1.4.0", "count": 11, "last_seen_at": "2026-11-20T10:00:00Z"},
                            {"release": null, "count": 1, "last_seen_at": "2026-11-19T08:00:00Z"}
                          ]
                        }
                      ],
                      "next_cursor": null
                    }
                  }
                }
              },
              "text/csv": {
                "schema": {"type": "string"},
                "examples": {
                  "table": {"value": "id,title,culprit,platform,level,status,count,first_seen_at,last_seen_at,releases\r\n"}
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/crashes/releases": {
      "get": {
        "operationId": "listReleaseHealth",
        "tags": ["Administration"],
        "summary": "Crash-free sessions by release",
        "description": "Sessions that started in the last 720 hours, the present hour among them, and the crash reports of each release. The release with most sessions comes first.",
        "security": [{"AccessToken": []}],
        "x-permission": "metrics.read",
        "parameters": [{"$ref": "#/components/parameters/IfNoneMatch"}],
        "responses": {
          "200": {
            "description": "All releases.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/ReleaseHealthList"},
                "examples": {
                  "releases": {
                    "value": {
                      "definition": "Sessions that started in the last 720 hours.",
                      "zone": "UTC",
                      "items": [
                        {
                          "release": "1.4.0",
                          "sessions": 1000,
                          "crashed": 4,
                          "abnormal": 0,
                          "errored": 20,
                          "reports": 24,
                          "crash_free_sessions": 99.6
                        }
                      ],
                      "next_cursor": null
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/crashes/{id}": {
      "get": {
        "operationId": "getCrashGroup",
        "tags": ["Administration"],
        "summary": "One fault with its newest reports",
        "description": "Up to five reports, newest first, as they were kept: the first one and the newest others. See docs/api.md for the fields.",
        "security": [{"AccessToken": []}],
        "x-permission": "metrics.read",
        "parameters": [{"$ref": "#/components/parameters/ItemID"}, {"$ref": "#/components/parameters/IfNoneMatch"}],
        "responses": {
          "200": {
            "description": "The group.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/CrashGroupDetail"},
                "examples": {
                  "group": {
                    "value": {
                      "id": "01934f0e-7c2a-7d3e-9b1a-000000000001",
                      "title": "ZeroDivisionError: division by zero",
                      "culprit": "shop.cart in total",
                      "platform": "python",
                      "level": "error",
                      "status": "open",
                      "count": 12,
                      "first_seen_at": "2026-11-19T08:00:00Z",
                      "last_seen_at": "2026-11-20T10:00:00Z",
                      "decided_at": null,
                      "regressed_at": null,
                      "versions": [
                        {"release": "1.4.0", "count": 11, "last_seen_at": "2026-11-20T10:00:00Z"},
                        {"release": null, "count": 1, "last_seen_at": "2026-11-19T08:00:00Z"}
                      ],
                      "samples": [
                        {
                          "occurred_at": "2026-11-20T10:00:00Z",
                          "report": {
                            "platform": "python",
                            "level": "error",
                            "release": "1.4.0",
                            "exception": {"values": [{"type": "ZeroDivisionError", "value": "division by zero"}]}
                          }
                        }
                      ]
                    }
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      },
      "delete": {
        "operationId": "deleteCrashGroup",
        "tags": ["Administration"],
        "summary": "Delete a crash group",
        "description": "Deletes the group with its reports and counts. A further report of the same fault makes a new group. With `If-Match` only the state that it names is deleted; a further report does not change it.",
        "security": [{"AccessToken": []}],
        "x-permission": "crashes.write",
        "parameters": [{"$ref": "#/components/parameters/ItemID"}, {"$ref": "#/components/parameters/IfMatch"}],
        "responses": {
          "204": {
            "description": "It is gone.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "412": {"$ref": "#/components/responses/PreconditionFailed"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/crashes/{id}/resolve": {
      "post": {
        "operationId": "resolveCrashGroup",
        "tags": ["Administration"],
        "summary": "Resolve a crash group",
        "description": "A report of a later crash opens it again. Resolving it again changes nothing. With `If-Match` only the state that it names is changed; a further report does not change it.",
        "security": [{"AccessToken": []}],
        "x-permission": "crashes.write",
        "parameters": [
          {"$ref": "#/components/parameters/ItemID"},
          {"$ref": "#/components/parameters/IfMatch"},
          {"$ref": "#/components/parameters/IdempotencyKey"}
        ],
        "responses": {
          "200": {
            "description": "The group.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/CrashGroup"},
                "examples": {
                  "resolved": {
                    "value": {
                      "id": "01934f0e-7c2a-7d3e-9b1a-000000000001",
                      "title": "ZeroDivisionError: division by zero",
                      "culprit": "shop.cart in total",
                      "platform": "python",
                      "level": "error",
                      "status": "resolved",
                      "count": 12,
                      "first_seen_at": "2026-11-19T08:00:00Z",
                      "last_seen_at": "2026-11-20T10:00:00Z",
                      "decided_at": "2026-11-21T09:00:00Z",
                      "regressed_at": null,
                      "versions": [{"release": "1.4.0", "count": 12, "last_seen_at": "2026-11-20T10:00:00Z"}]
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/RequestConflict"},
          "412": {"$ref": "#/components/responses/PreconditionFailed"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/crashes/{id}/ignore": {
      "post": {
        "operationId": "ignoreCrashGroup",
        "tags": ["Administration"],
        "summary": "Ignore a crash group",
        "description": "Its reports are counted, and it stays ignored. Ignoring it again changes nothing. With `If-Match` only the state that it names is changed; a further report does not change it.",
        "security": [{"AccessToken": []}],
        "x-permission": "crashes.write",
        "parameters": [
          {"$ref": "#/components/parameters/ItemID"},
          {"$ref": "#/components/parameters/IfMatch"},
          {"$ref": "#/components/parameters/IdempotencyKey"}
        ],
        "responses": {
          "200": {
            "description": "The group.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/CrashGroup"},
                "examples": {
                  "ignored": {
                    "value": {
                      "id": "01934f0e-7c2a-7d3e-9b1a-000000000001",
                      "title": "ZeroDivisionError: division by zero",
                      "culprit": "shop.cart in total",
                      "platform": "python",
                      "level": "error",
                      "status": "ignored",
                      "count": 12,
                      "first_seen_at": "2026-11-19T08:00:00Z",
                      "last_seen_at": "2026-11-20T10:00:00Z",
                      "decided_at": "2026-11-21T09:00:00Z",
                      "regressed_at": null,
                      "versions": [{"release": "1.4.0", "count": 12, "last_seen_at": "2026-11-20T10:00:00Z"}]
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/RequestConflict"},
          "412": {"$ref": "#/components/responses/PreconditionFailed"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/crashes/{id}/reopen": {
      "post": {
        "operationId": "reopenCrashGroup",
        "tags": ["Administration"],
        "summary": "Reopen a crash group",
        "description": "Takes a decision back. Reopening an open group changes nothing. With `If-Match` only the state that it names is changed; a further report does not change it.",
        "security": [{"AccessToken": []}],
        "x-permission": "crashes.write",
        "parameters": [
          {"$ref": "#/components/parameters/ItemID"},
          {"$ref": "#/components/parameters/IfMatch"},
          {"$ref": "#/components/parameters/IdempotencyKey"}
        ],
        "responses": {
          "200": {
            "description": "The group.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/CrashGroup"},
                "examples": {
                  "open": {
                    "value": {
                      "id": "01934f0e-7c2a-7d3e-9b1a-000000000001",
                      "title": "ZeroDivisionError: division by zero",
                      "culprit": "shop.cart in total",
                      "platform": "python",
                      "level": "error",
                      "status": "open",
                      "count": 12,
                      "first_seen_at": "2026-11-19T08:00:00Z",
                      "last_seen_at": "2026-11-20T10:00:00Z",
                      "decided_at": null,
                      "regressed_at": null,
                      "versions": [{"release": "1.4.0", "count": 12, "last_seen_at": "2026-11-20T10:00:00Z"}]
                    }
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/RequestConflict"},
          "412": {"$ref": "#/components/responses/PreconditionFailed"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/crashes/bulk": {
      "post": {
        "operationId": "decideCrashGroups",
        "tags": ["Administration"],
        "summary": "Resolve, ignore, reopen or delete many crash groups",
        "description": "One transaction, with a result for each id.",
        "security": [{"AccessToken": []}],
        "x-permission": "crashes.write",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "description": "Which, and what to do.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/CrashBulk"},
              "examples": {"delete": {"value": {"ids": ["01934f0e-7c2a-7d3e-9b1a-000000000001", "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60"], "action": "delete"}}}
            }
          }
        },
        "responses": {
          "200": {
            "description": "The result for each.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/CrashBulkResults"},
                "examples": {
                  "results": {"value": {"results": [
                        {"id": "01934f0e-7c2a-7d3e-9b1a-000000000001", "result": "deleted"},
                        {"id": "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60", "result": "not_found"}
                      ]}}
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/RequestConflict"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/crashes/releases/bulk": {
      "post": {
        "operationId": "decideCrashReleases",
        "tags": ["Administration"],
        "summary": "Delete many releases",
        "description": "One transaction, with a result for each release. The sessions of a deleted release no longer count, and its crash reports count under `(other)` in their groups.",
        "security": [{"AccessToken": []}],
        "x-permission": "crashes.write",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "description": "Which, and what to do.",
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/CrashReleaseBulk"},
              "examples": {"delete": {"value": {"releases": ["9.9.1", "9.9.2"], "action": "delete"}}}
            }
          }
        },
        "responses": {
          "200": {
            "description": "The result for each.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/CrashReleaseBulkResults"},
                "examples": {
                  "results": {"value": {"results": [
                        {"release": "9.9.1", "result": "deleted"},
                        {"release": "9.9.2", "result": "not_found"}
                      ]}}
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {"$ref": "#/components/responses/RequestConflict"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidAdminBody"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/dashboard": {
      "get": {
        "operationId": "getDashboard",
        "tags": ["Administration"],
        "summary": "The figures at one moment",
        "description": "Each figure with what the last 7 × 24 hours and the 7 × 24 hours before brought, and its own definition. `as_of` alone does not change the `ETag`.",
        "security": [{"AccessToken": []}],
        "x-permission": "metrics.read",
        "parameters": [
          {"$ref": "#/components/parameters/FigureFormat"},
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "All figures, of one moment.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Dashboard"},
                "examples": {
                  "figures": {
                    "value": {
                      "as_of": "2026-11-20T10:00:00.250Z",
                      "zone": "UTC",
                      "definition": "this_week is the last 7 x 24 h and last_week the 7 x 24 h before, in UTC; trend_percent is the change of this_week over last_week with one decimal, null where last_week is not above zero.",
                      "total_users": {
                        "value": 5120,
                        "this_week": 410,
                        "last_week": 400,
                        "trend_percent": 2.5,
                        "definition": "Distinct users with at least one accepted event; weeks: users whose signup lies in the window."
                      },
                      "active_users_30d": {
                        "value": 2204,
                        "this_week": 1310,
                        "last_week": 1422,
                        "trend_percent": -7.9,
                        "definition": "Distinct users with any event in the last 30 x 24 h; weeks: distinct users with any event in the window."
                      },
                      "subscriptions_tracked": {
                        "value": 18341,
                        "this_week": -12,
                        "last_week": 960,
                        "trend_percent": -101.2,
                        "definition": "Subscriptions added less removed, ever; weeks: added less removed in the window."
                      },
                      "premium_conversions": {
                        "value": 87,
                        "this_week": 4,
                        "last_week": 0,
                        "trend_percent": null,
                        "definition": "Users who converted, each counted once; weeks: users whose first conversion lies in the window."
                      },
                      "crash_free_sessions": {
                        "value": null,
                        "this_week": null,
                        "last_week": null,
                        "trend_percent": null,
                        "definition": "Sessions without a crash in percent of all sessions of the last 30 x 24 h; weeks: the same in the window."
                      }
                    }
                  }
                }
              },
              "text/csv": {
                "schema": {"type": "string", "minLength": 1},
                "examples": {
                  "figures": {
                    "value": "figure,value,this_week,last_week,trend_percent,zone,definition\r\nsubscriptions_tracked,18341,-12,960,-101.2,UTC,\"Subscriptions added less removed, …\"\r\n"
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/funnel": {
      "get": {
        "operationId": "getFunnel",
        "tags": ["Administration"],
        "summary": "How far users got",
        "description": "Counts users, each once, by the day of their signup. `as_of` alone does not change the `ETag`.",
        "security": [{"AccessToken": []}],
        "x-permission": "metrics.read",
        "parameters": [
          {"$ref": "#/components/parameters/FromDay"},
          {"$ref": "#/components/parameters/ToDay"},
          {"$ref": "#/components/parameters/FigureFormat"},
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "The five stages, in their order.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Funnel"},
                "examples": {
                  "figures": {
                    "value": {
                      "as_of": "2026-11-20T10:00:00.250Z",
                      "zone": "UTC",
                      "definition": "Users, each once, whose signup lies on the days from through to (UTC; all when absent) and who bear the stage's mark, whenever it came: app_downloaded, first_subscription_added, five_subscriptions_reached, retention_d7, retention_d30. The signup is the time of app_downloaded, else of the earliest event. Percentages have one decimal and are null over zero.",
                      "from": "2026-09-01",
                      "to": null,
                      "stages": [
                        {"name": "downloads", "count": 5000, "percent_of_previous": null, "percent_of_first": 100.0},
                        {
                          "name": "first_subscription",
                          "count": 3120,
                          "percent_of_previous": 62.4,
                          "percent_of_first": 62.4
                        },
                        {
                          "name": "five_subscriptions",
                          "count": 410,
                          "percent_of_previous": 13.1,
                          "percent_of_first": 8.2
                        },
                        {
                          "name": "retention_d7",
                          "count": 1207,
                          "percent_of_previous": 294.4,
                          "percent_of_first": 24.1
                        },
                        {"name": "retention_d30", "count": 480, "percent_of_previous": 39.8, "percent_of_first": 9.6}
                      ]
                    }
                  }
                }
              },
              "text/csv": {
                "schema": {"type": "string", "minLength": 1},
                "examples": {
                  "figures": {
                    "value": "stage,count,percent_of_previous,percent_of_first,from,to,zone,definition\r\ndownloads,5000,,100.0,2026-09-01,,UTC,\"Users, each once, …\"\r\n"
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/cohorts": {
      "get": {
        "operationId": "getCohorts",
        "tags": ["Administration"],
        "summary": "Who came back",
        "description": "By the ISO week of the signup. `from` and `to` choose the weeks in which these days lie. `as_of` alone does not change the `ETag`.",
        "security": [{"AccessToken": []}],
        "x-permission": "metrics.read",
        "parameters": [
          {"$ref": "#/components/parameters/FromDay"},
          {"$ref": "#/components/parameters/ToDay"},
          {"$ref": "#/components/parameters/FigureFormat"},
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "A row a week, oldest first; weeks in which nobody signed up are left out.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Cohorts"},
                "examples": {
                  "figures": {
                    "value": {
                      "as_of": "2026-11-20T10:00:00.250Z",
                      "zone": "UTC",
                      "definition": "A row per ISO 8601 week (Monday 00:00 UTC) in which users signed up, whole weeks wherever from and to lie. d1, d7, d30: eligible are the users of the week whose signup + N x 24 h has passed; count are those of them who bear the mark retention_dN; percent is count of eligible with one decimal; rating is green for a percent over 50, red for one under 20, else neutral; null where nobody of the week has reached the day.",
                      "from": "2026-11-02",
                      "to": null,
                      "cohorts": [
                        {
                          "week": "2026-W45",
                          "starts_on": "2026-11-02",
                          "users": 400,
                          "d1": {"count": 221, "eligible": 400, "percent": 55.2, "rating": "green"},
                          "d7": {"count": 120, "eligible": 400, "percent": 30.0, "rating": "neutral"},
                          "d30": null
                        },
                        {
                          "week": "2026-W47",
                          "starts_on": "2026-11-16",
                          "users": 310,
                          "d1": {"count": 49, "eligible": 251, "percent": 19.5, "rating": "red"},
                          "d7": null,
                          "d30": null
                        }
                      ]
                    }
                  }
                }
              },
              "text/csv": {
                "schema": {"type": "string", "minLength": 1},
                "examples": {
                  "figures": {
                    "value": "week,starts_on,users,d1_count,d1_eligible,d1_percent,d1_rating,d7_count,d7_eligible,d7_percent,d7_rating,d30_count,d30_eligible,d30_percent,d30_rating,zone,definition\r\n2026-W47,2026-11-16,310,49,251,19.5,red,,,,,,,,,UTC,\"A row per ISO 8601 week …\"\r\n"
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/api/v1/admin/ranking": {
      "get": {
        "operationId": "getRanking",
        "tags": ["Administration"],
        "summary": "The items added most",
        "description": "Counted once a day. `as_of` alone does not change the `ETag`.",
        "security": [{"AccessToken": []}],
        "x-permission": "metrics.read",
        "parameters": [
          {"$ref": "#/components/parameters/RankingLimit"},
          {"$ref": "#/components/parameters/FigureFormat"},
          {"$ref": "#/components/parameters/IfNoneMatch"}
        ],
        "responses": {
          "200": {
            "description": "Most first.",
            "headers": {
              "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "RateLimit": {"$ref": "#/components/headers/RateLimit"},
              "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Ranking"},
                "examples": {
                  "figures": {
                    "value": {
                      "as_of": "2026-11-20T10:00:00.250Z",
                      "zone": "UTC",
                      "definition": "Accepted subscription_added events by the catalogue item that they name, ever, most first; counted once a day, at as_of (UTC). An item merged into another counts for that one; deleted items are left out.",
                      "items": [
                        {
                          "id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                          "name": "Ciné+ OCS",
                          "logo_url": null,
                          "count": 312
                        }
                      ]
                    }
                  }
                }
              },
              "text/csv": {
                "schema": {"type": "string", "minLength": 1},
                "examples": {
                  "figures": {
                    "value": "id,name,logo_url,count,zone,definition\r\n01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b,Ciné+ OCS,,312,UTC,\"Accepted subscription_added events …\"\r\n"
                  }
                }
              }
            }
          },
          "304": {"$ref": "#/components/responses/NotModified"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "414": {"$ref": "#/components/responses/URITooLong"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {"$ref": "#/components/responses/InvalidQuery"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderFieldsTooLarge"},
          "500": {"$ref": "#/components/responses/InternalError"},
          "501": {"$ref": "#/components/responses/NotImplemented"},
          "503": {"$ref": "#/components/responses/Overloaded"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    }
  },
  "components": {
    "securitySchemes": {
      "AccessToken": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "sgt_ and 43 characters of base64url",
        "description": "Made with `subguardd token create --role ROLE --name NAME`, shown once."
      },
      "SessionToken": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "sga_ and 43 characters of base64url",
        "description": "The `access_token` of signing in or refreshing."
      }
    },
    "parameters": {
      "ItemID": {
        "name": "id",
        "in": "path",
        "required": true,
        "description": "The item's id. Anything but a UUID is 404.",
        "schema": {"$ref": "#/components/schemas/GivenID"},
        "example": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b"
      },
      "Limit": {
        "name": "limit",
        "in": "query",
        "description": "Items on a page.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 500, "default": 50}
      },
      "Cursor": {
        "name": "cursor",
        "in": "query",
        "description": "`next_cursor` of the page before, with all other parameters as they were there. Opaque.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 512, "pattern": "^[A-Za-z0-9_-]+$"}
      },
      "CategoryFilter": {
        "name": "category",
        "in": "query",
        "description": "Only items of this category.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^\\u0000]+$"}
      },
      "TextFilter": {
        "name": "q",
        "in": "query",
        "description": "Only items that hold this text in name, slug or an alias, case and accents aside.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^\\u0000]+$"}
      },
      "FromDay": {
        "name": "from",
        "in": "query",
        "description": "The first day of signups, in UTC.",
        "schema": {"$ref": "#/components/schemas/Day"}
      },
      "ToDay": {
        "name": "to",
        "in": "query",
        "description": "The last day of signups, in UTC.",
        "schema": {"$ref": "#/components/schemas/Day"}
      },
      "RankingLimit": {
        "name": "limit",
        "in": "query",
        "description": "How many items.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 500, "default": 10}
      },
      "FigureFormat": {
        "name": "format",
        "in": "query",
        "description": "`csv` is for spreadsheets: no cell is run as a formula. It carries no `as_of`.",
        "schema": {"enum": ["json", "csv"], "default": "json"}
      },
      "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "The `ETag` of the answer that the client has. When it is still current the answer is 304.",
        "schema": {"type": "string"}
      },
      "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "description": "The `ETag` of the item that the change is based on. When the item has changed since, the answer is 412.",
        "schema": {"type": "string"}
      },
      "TokenID": {
        "name": "id",
        "in": "path",
        "required": true,
        "description": "The token's id. Anything but a UUID is 404.",
        "schema": {"$ref": "#/components/schemas/GivenID"},
        "example": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b"
      },
      "SuggestionID": {
        "name": "id",
        "in": "path",
        "required": true,
        "description": "The suggestion's id. Anything but a UUID is 404.",
        "schema": {"$ref": "#/components/schemas/GivenID"},
        "example": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b"
      },
      "IngestSignature": {
        "name": "SubGuard-Signature",
        "in": "header",
        "description": "`key=NAME, t=SECONDS, v1=HEX`: HMAC-SHA-256 of the time in seconds since 1970, a dot and the SHA-256 of the body as sent, in lower-case hexadecimal digits. Looked at while `ingest_signatures` is not `off`.",
        "schema": {"type": "string", "maxLength": 300},
        "example": "key=ios-1.4, t=1795168800, v1=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
      },
      "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "1 to 255 visible ASCII characters. For 24 hours the same key with the same request gets the first answer again, with `Idempotency-Replayed: true`; nothing is done twice.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"}
      }
    },
    "headers": {
      "RequestID": {
        "description": "The request's own `X-Request-Id` when it is 1 to 128 visible ASCII characters, else one made by the server.",
        "required": true,
        "schema": {"type": "string", "pattern": "^[!-~]{1,128}$"},
        "example": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
      },
      "ETag": {
        "description": "A strong validator of this body in this content coding.",
        "required": true,
        "schema": {"type": "string", "pattern": "^\"[!#-~]+\"$"},
        "example": "\"5b1f0c2e9d7a4836b0f1e2d3c4b5a697\""
      },
      "ItemETag": {
        "description": "The revision of the item; send it back in `If-Match`. The tag of any coding names the same revision.",
        "required": true,
        "schema": {"type": "string", "pattern": "^\"r[0-9]+(?:-gzip)?\"$"},
        "example": "\"r1204\""
      },
      "CacheControl": {
        "description": "How long the answer may be kept.",
        "schema": {"type": "string", "minLength": 1},
        "example": "public, max-age=300, stale-if-error=86400"
      },
      "Vary": {
        "description": "Request fields that decide about the answer.",
        "schema": {"type": "string", "minLength": 1},
        "example": "Accept-Encoding"
      },
      "Location": {
        "description": "Where the item is.",
        "required": true,
        "schema": {
          "type": "string",
          "format": "uri-reference",
          "pattern": "^/api/v1/(?:admin/)?catalogue/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
        },
        "example": "/api/v1/catalogue/01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b"
      },
      "RetryAfter": {
        "description": "Seconds after which a new attempt makes sense.",
        "required": true,
        "schema": {"type": "integer", "minimum": 1},
        "example": 5
      },
      "RateLimit": {
        "description": "What is left: requests `r`, and seconds `t` until the allowance is whole again, or, when refused, until the next request is allowed.",
        "schema": {"type": "string", "pattern": "^\"[a-z]+\";r=[0-9]+;t=[0-9]+$"},
        "example": "\"read\";r=5999;t=1"
      },
      "RateLimitPolicy": {
        "description": "The allowance: `q` requests within `w` seconds, per client address.",
        "schema": {"type": "string", "pattern": "^\"[a-z]+\";q=[0-9]+;w=[0-9]+$"},
        "example": "\"read\";q=6000;w=60"
      },
      "Allow": {
        "description": "The methods that the address answers.",
        "required": true,
        "schema": {"type": "string", "pattern": "^[A-Z]+(?:, [A-Z]+)*$"},
        "example": "GET, HEAD, OPTIONS"
      },
      "AcceptEncoding": {
        "description": "The content codings that a body may have.",
        "schema": {"type": "string", "minLength": 1},
        "example": "gzip, deflate"
      },
      "WWWAuthenticate": {
        "description": "How to authenticate (RFC 6750).",
        "required": true,
        "schema": {"type": "string", "pattern": "^Bearer realm=\"subguard\""},
        "example": "Bearer realm=\"subguard\""
      },
      "Link": {
        "description": "The next page, as `<address>; rel=\"next\"`; absent on the last one.",
        "schema": {"type": "string", "pattern": "^<.+>; rel=\"next\"$"},
        "example": "</api/v1/admin/catalogue?limit=50&cursor=AbC>; rel=\"next\""
      }
    },
    "responses": {
      "NotModified": {
        "description": "What `If-None-Match` names is still current.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "ETag": {"$ref": "#/components/headers/ETag"},
          "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
          "Vary": {"$ref": "#/components/headers/Vary"},
          "RateLimit": {"$ref": "#/components/headers/RateLimit"},
          "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
        }
      },
      "BadRequest": {
        "description": "The request cannot be parsed.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 400},
                    "code": {"enum": ["malformed_request", "malformed_path", "malformed_query"]}
                  }
                }
              ]
            },
            "examples": {
              "malformed_request": {
                "value": {
                  "type": "/problems/malformed_request",
                  "title": "The request is not valid HTTP/1.1",
                  "status": 400,
                  "detail": "The request line does not end in CRLF.",
                  "code": "malformed_request",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "malformed_path": {
                "value": {
                  "type": "/problems/malformed_path",
                  "title": "The path cannot be read",
                  "status": 400,
                  "detail": "The path holds a dot segment or is not percent-encoded UTF-8.",
                  "code": "malformed_path",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "malformed_query": {
                "value": {
                  "type": "/problems/malformed_query",
                  "title": "The query cannot be read",
                  "status": 400,
                  "detail": "The query is not percent-encoded UTF-8.",
                  "code": "malformed_query",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "BadBody": {
        "description": "The request or its body cannot be parsed.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 400},
                    "code": {"enum": ["malformed_json", "malformed_request", "malformed_path"]}
                  }
                }
              ]
            },
            "examples": {
              "malformed_json": {
                "value": {
                  "type": "/problems/malformed_json",
                  "title": "The body is not JSON",
                  "status": 400,
                  "detail": "A name occurs twice in one object. (byte 17)",
                  "code": "malformed_json",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "malformed_request": {
                "value": {
                  "type": "/problems/malformed_request",
                  "title": "The request is not valid HTTP/1.1",
                  "status": 400,
                  "detail": "The body is not the gzip that it claims to be.",
                  "code": "malformed_request",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "malformed_path": {
                "value": {
                  "type": "/problems/malformed_path",
                  "title": "The path cannot be read",
                  "status": 400,
                  "detail": "The path holds a dot segment or is not percent-encoded UTF-8.",
                  "code": "malformed_path",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "NoSession": {
        "description": "There is no access token, or it does not hold.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "WWW-Authenticate": {"$ref": "#/components/headers/WWWAuthenticate"}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 401}, "code": {"const": "unauthorized"}}}
              ]
            },
            "examples": {
              "unauthorized": {
                "value": {
                  "type": "/problems/unauthorized",
                  "title": "Credentials are missing or not valid",
                  "status": 401,
                  "detail": "The access token is unknown, expired or revoked.",
                  "code": "unauthorized",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "InvalidIdentityToken": {
        "description": "Apple did not sign it for this app, it has expired, or it signed in before. Which of these is not told.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "WWW-Authenticate": {"$ref": "#/components/headers/WWWAuthenticate"}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 401}, "code": {"const": "invalid_identity_token"}}}
              ]
            },
            "examples": {
              "invalid_identity_token": {
                "value": {
                  "type": "/problems/invalid_identity_token",
                  "title": "The identity token is not accepted",
                  "status": 401,
                  "detail": "The identity token is not accepted.",
                  "code": "invalid_identity_token",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "InvalidRefreshToken": {
        "description": "It is unknown, expired, or was spent before.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "WWW-Authenticate": {"$ref": "#/components/headers/WWWAuthenticate"}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 401}, "code": {"const": "invalid_refresh_token"}}}
              ]
            },
            "examples": {
              "invalid_refresh_token": {
                "value": {
                  "type": "/problems/invalid_refresh_token",
                  "title": "The refresh token is not accepted",
                  "status": 401,
                  "detail": "The refresh token is not accepted.",
                  "code": "invalid_refresh_token",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "SignInNotConfigured": {
        "description": "The operator has not set up Sign in with Apple.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 404}, "code": {"const": "sign_in_not_configured"}}}
              ]
            },
            "examples": {
              "sign_in_not_configured": {
                "value": {
                  "type": "/problems/sign_in_not_configured",
                  "title": "This server knows no Sign in with Apple",
                  "status": 404,
                  "detail": "Sign in with Apple is not set up on this server.",
                  "code": "sign_in_not_configured",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "PremiumNotConfigured": {
        "description": "The operator has not set up purchases.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 404}, "code": {"const": "premium_not_configured"}}}
              ]
            },
            "examples": {
              "premium_not_configured": {
                "value": {
                  "type": "/problems/premium_not_configured",
                  "title": "This server knows no purchases",
                  "status": 404,
                  "detail": "Purchases are not set up on this server.",
                  "code": "premium_not_configured",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "BadNotification": {
        "description": "The request cannot be parsed, or what it carries is not signed by Apple for this app.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 400}, "code": {"enum": ["malformed_json", "malformed_request", "malformed_path", "invalid_signature"]}}}
              ]
            },
            "examples": {
              "malformed_json": {
                "value": {
                  "type": "/problems/malformed_json",
                  "title": "The body is not JSON",
                  "status": 400,
                  "detail": "A name occurs twice in one object. (byte 17)",
                  "code": "malformed_json",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "malformed_request": {
                "value": {
                  "type": "/problems/malformed_request",
                  "title": "The request is not valid HTTP/1.1",
                  "status": 400,
                  "detail": "The body is not the gzip that it claims to be.",
                  "code": "malformed_request",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "malformed_path": {
                "value": {
                  "type": "/problems/malformed_path",
                  "title": "The path cannot be read",
                  "status": 400,
                  "detail": "The path holds a dot segment or is not percent-encoded UTF-8.",
                  "code": "malformed_path",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "invalid_signature": {
                "value": {
                  "type": "/problems/invalid_signature",
                  "title": "The signed message is not accepted",
                  "status": 400,
                  "detail": "The notification is not accepted.",
                  "code": "invalid_signature",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "PurchaseTaken": {
        "description": "The purchase names another account.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 409}, "code": {"const": "purchase_taken"}}}
              ]
            },
            "examples": {
              "purchase_taken": {
                "value": {
                  "type": "/problems/purchase_taken",
                  "title": "The purchase belongs to another account",
                  "status": 409,
                  "detail": "The purchase names another account than the one signed in.",
                  "code": "purchase_taken",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "InvalidTransaction": {
        "description": "A field is wrong, or the App Store did not sign it for this app.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 422}, "code": {"enum": ["validation_failed", "invalid_transaction"]}}}
              ]
            },
            "examples": {
              "validation_failed": {
                "value": {
                  "type": "/problems/validation_failed",
                  "title": "The request breaks a rule",
                  "status": 422,
                  "detail": "Not acceptable: #/signed_transaction.",
                  "code": "validation_failed",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e",
                  "errors": [{"pointer": "#/signed_transaction", "code": "required", "detail": "Must be given."}]
                }
              },
              "invalid_transaction": {
                "value": {
                  "type": "/problems/invalid_transaction",
                  "title": "The signed transaction is not accepted",
                  "status": 422,
                  "detail": "The signed transaction is not accepted.",
                  "code": "invalid_transaction",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "AppleUnavailable": {
        "description": "Apple's keys cannot be had, the server has too much to do, its storage is full or cannot be written, or the answer took too long. What was sent may be sent again.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "Retry-After": {"$ref": "#/components/headers/RetryAfter"}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 503},
                    "code": {
                      "enum": [
                        "apple_unavailable", "overloaded", "storage_full", "storage_unavailable", "handling_timeout"
                      ]
                    }
                  }
                }
              ]
            },
            "examples": {
              "overloaded": {
                "value": {
                  "type": "/problems/overloaded",
                  "title": "The server has too much to do",
                  "status": 503,
                  "detail": "The server has too much to do right now.",
                  "code": "overloaded",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "storage_full": {
                "value": {
                  "type": "/problems/storage_full",
                  "title": "The server has no room for more",
                  "status": 503,
                  "detail": "The storage has reached its ceiling. Nothing was stored.",
                  "code": "storage_full",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "storage_unavailable": {
                "value": {
                  "type": "/problems/storage_unavailable",
                  "title": "The server cannot write to its storage",
                  "status": 503,
                  "detail": "The storage cannot be written at the moment.",
                  "code": "storage_unavailable",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "handling_timeout": {
                "value": {
                  "type": "/problems/handling_timeout",
                  "title": "The answer took too long",
                  "status": 503,
                  "detail": "The answer was not ready in time.",
                  "code": "handling_timeout",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "apple_unavailable": {
                "value": {
                  "type": "/problems/apple_unavailable",
                  "title": "Apple's keys cannot be had",
                  "status": 503,
                  "detail": "Apple's keys cannot be had at the moment.",
                  "code": "apple_unavailable",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "Unauthorized": {
        "description": "There are no credentials, or they do not hold.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "WWW-Authenticate": {"$ref": "#/components/headers/WWWAuthenticate"}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 401}, "code": {"const": "unauthorized"}}}
              ]
            },
            "examples": {
              "missing": {
                "value": {
                  "type": "/problems/unauthorized",
                  "title": "Credentials are missing or not valid",
                  "status": 401,
                  "detail": "Credentials are missing.",
                  "code": "unauthorized",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "not_valid": {
                "value": {
                  "type": "/problems/unauthorized",
                  "title": "Credentials are missing or not valid",
                  "status": 401,
                  "detail": "The token is unknown, expired or revoked.",
                  "code": "unauthorized",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "Forbidden": {
        "description": "The token's role lacks the permission, or a page of another site sent a request that changes something.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 403}, "code": {"enum": ["forbidden", "cross_site"]}}}
              ]
            },
            "examples": {
              "forbidden": {
                "value": {
                  "type": "/problems/forbidden",
                  "title": "The token's role lacks the permission",
                  "status": 403,
                  "detail": "The role analyst lacks the permission catalogue.write.",
                  "code": "forbidden",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "cross_site": {
                "value": {
                  "type": "/problems/cross_site",
                  "title": "The request comes from another site",
                  "status": 403,
                  "detail": "A page of another origin sent the request.",
                  "code": "cross_site",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "CrossSite": {
        "description": "A page of another site sent the request.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 403}, "code": {"const": "cross_site"}}}
              ]
            },
            "examples": {
              "cross_site": {
                "value": {
                  "type": "/problems/cross_site",
                  "title": "The request comes from another site",
                  "status": 403,
                  "detail": "A page of another origin sent the request.",
                  "code": "cross_site",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "NotFound": {
        "description": "There is nothing at this address.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 404}, "code": {"const": "not_found"}}}
              ]
            },
            "examples": {
              "not_found": {
                "value": {
                  "type": "/problems/not_found",
                  "title": "Nothing is here",
                  "status": 404,
                  "detail": "There is no such item.",
                  "code": "not_found",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "MethodNotAllowed": {
        "description": "The address answers other methods only.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "Allow": {"$ref": "#/components/headers/Allow"}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 405}, "code": {"const": "method_not_allowed"}}}
              ]
            },
            "examples": {
              "method_not_allowed": {
                "value": {
                  "type": "/problems/method_not_allowed",
                  "title": "The method is not allowed here",
                  "status": 405,
                  "detail": "This resource answers GET, HEAD, OPTIONS only.",
                  "code": "method_not_allowed",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "BadEnvelope": {
        "description": "The request, or the envelope in it, cannot be read.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 400},
                    "code": {"enum": ["malformed_request", "malformed_path", "malformed_query"]}
                  }
                }
              ]
            },
            "examples": {
              "malformed_request": {
                "value": {
                  "type": "/problems/malformed_request",
                  "title": "The request is not valid HTTP/1.1",
                  "status": 400,
                  "detail": "The envelope ends inside item 0.",
                  "code": "malformed_request",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e",
                  "causes": ["malformed_request"]
                }
              },
              "malformed_path": {
                "value": {
                  "type": "/problems/malformed_path",
                  "title": "The path cannot be read",
                  "status": 400,
                  "detail": "The path holds a dot segment.",
                  "code": "malformed_path",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e",
                  "causes": ["malformed_path"]
                }
              },
              "malformed_query": {
                "value": {
                  "type": "/problems/malformed_query",
                  "title": "The query cannot be read",
                  "status": 400,
                  "detail": "The query is not percent-encoded UTF-8.",
                  "code": "malformed_query",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e",
                  "causes": ["malformed_query"]
                }
              }
            }
          }
        }
      },
      "ForeignKey": {
        "description": "The key or the project is missing, or not this server's.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "X-Sentry-Error": {
            "required": true,
            "description": "`detail` once more, for Sentry SDKs.",
            "schema": {"type": "string", "minLength": 1}
          }
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 403}, "code": {"const": "forbidden"}}}
              ]
            },
            "examples": {
              "forbidden": {
                "value": {
                  "type": "/problems/forbidden",
                  "title": "The token's role lacks the permission",
                  "status": 403,
                  "detail": "The key of the DSN is not this server's.",
                  "code": "forbidden",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e",
                  "causes": ["forbidden"]
                }
              }
            }
          }
        }
      },
      "NotSigned": {
        "description": "The server checks signatures, and the batch has none that is valid.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "WWW-Authenticate": {
            "description": "That the signature belongs into `SubGuard-Signature`.",
            "required": true,
            "schema": {"type": "string", "pattern": "^SubGuard-Signature realm=\"subguard\""},
            "example": "SubGuard-Signature realm=\"subguard\""
          }
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 401},
                    "code": {
                      "enum": ["ingest_signature_required", "ingest_signature_invalid", "ingest_signature_expired"]
                    }
                  }
                }
              ]
            },
            "examples": {
              "ingest_signature_required": {
                "value": {
                  "type": "/problems/ingest_signature_required",
                  "title": "The batch is not signed",
                  "status": 401,
                  "detail": "This server accepts signed batches only.",
                  "code": "ingest_signature_required",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "ingest_signature_invalid": {
                "value": {
                  "type": "/problems/ingest_signature_invalid",
                  "title": "The signature of the batch is not valid",
                  "status": 401,
                  "detail": "The signature is not that of this body.",
                  "code": "ingest_signature_invalid",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "ingest_signature_expired": {
                "value": {
                  "type": "/problems/ingest_signature_expired",
                  "title": "The time of the signature is too far from the server's",
                  "status": 401,
                  "detail": "The time of the signature is more than 300 seconds from the server's clock.",
                  "code": "ingest_signature_expired",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "ForeignAPIKey": {
        "description": "The `api_key` is missing, or not this server's, or the signature is missing or not valid.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "WWW-Authenticate": {
            "description": "That the key belongs into the body, or the signature into the head.",
            "required": true,
            "schema": {"type": "string", "pattern": "^(ApiKey|SubGuard-Signature) realm=\"subguard\""},
            "example": "ApiKey realm=\"subguard\""
          }
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 401},
                    "code": {
                      "enum": [
                        "unauthorized", "ingest_signature_required", "ingest_signature_invalid",
                        "ingest_signature_expired"
                      ]
                    }
                  }
                }
              ]
            },
            "examples": {
              "unauthorized": {
                "value": {
                  "type": "/problems/unauthorized",
                  "title": "Credentials are missing or not valid",
                  "status": 401,
                  "detail": "The api_key is missing or not this server's.",
                  "code": "unauthorized",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "ingest_signature_required": {
                "value": {
                  "type": "/problems/ingest_signature_required",
                  "title": "The batch is not signed",
                  "status": 401,
                  "detail": "This server accepts signed batches only.",
                  "code": "ingest_signature_required",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "ingest_signature_invalid": {
                "value": {
                  "type": "/problems/ingest_signature_invalid",
                  "title": "The signature of the batch is not valid",
                  "status": 401,
                  "detail": "The signature is not that of this body.",
                  "code": "ingest_signature_invalid",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "ingest_signature_expired": {
                "value": {
                  "type": "/problems/ingest_signature_expired",
                  "title": "The time of the signature is too far from the server's",
                  "status": 401,
                  "detail": "The time of the signature is more than 300 seconds from the server's clock.",
                  "code": "ingest_signature_expired",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "UnsupportedCoding": {
        "description": "The content coding is not gzip or deflate.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "Accept-Encoding": {"$ref": "#/components/headers/AcceptEncoding"}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {"status": {"const": 415}, "code": {"const": "unsupported_content_coding"}}
                }
              ]
            },
            "examples": {
              "unsupported_content_coding": {
                "value": {
                  "type": "/problems/unsupported_content_coding",
                  "title": "The content coding is not supported",
                  "status": 415,
                  "detail": "The body may be coded as gzip or deflate, once.",
                  "code": "unsupported_content_coding",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "RequestTimeout": {
        "description": "The request did not come in time. The connection is closed.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 408}, "code": {"const": "request_timeout"}}}
              ]
            },
            "examples": {
              "request_timeout": {
                "value": {
                  "type": "/problems/request_timeout",
                  "title": "The request did not come in time",
                  "status": 408,
                  "detail": "The request did not come in time.",
                  "code": "request_timeout",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "Conflict": {
        "description": "The slug or the id belongs to another item, or a request with the same `Idempotency-Key` runs.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 409},
                    "code": {"enum": ["slug_taken", "id_taken", "request_running", "answer_lost"]}
                  }
                }
              ]
            },
            "examples": {
              "slug_taken": {
                "value": {
                  "type": "/problems/slug_taken",
                  "title": "The slug belongs to another item",
                  "status": 409,
                  "detail": "Another item has this slug.",
                  "code": "slug_taken",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "id_taken": {
                "value": {
                  "type": "/problems/id_taken",
                  "title": "The id belongs to another item",
                  "status": 409,
                  "detail": "Another item has this id.",
                  "code": "id_taken",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "request_running": {
                "value": {
                  "type": "/problems/request_running",
                  "title": "The first request still runs",
                  "status": 409,
                  "detail": "The first request with this key still runs.",
                  "code": "request_running",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "answer_lost": {
                "value": {
                  "type": "/problems/answer_lost",
                  "title": "The answer was lost",
                  "status": 409,
                  "detail": "The request was carried out; the server stopped before it could answer. The audit log has it.",
                  "code": "answer_lost",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "AlertConflict": {
        "description": "No such channel is configured, the delivery is being sent at this moment, or a request with the same `Idempotency-Key` runs.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 409},
                    "code": {"enum": ["conflict", "request_running", "answer_lost"]}
                  }
                }
              ]
            },
            "examples": {
              "conflict": {
                "value": {
                  "type": "/problems/conflict",
                  "title": "The request contradicts the present state",
                  "status": 409,
                  "detail": "No alert channel is configured.",
                  "code": "conflict",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "request_running": {
                "value": {
                  "type": "/problems/request_running",
                  "title": "The first request still runs",
                  "status": 409,
                  "detail": "The first request with this key still runs.",
                  "code": "request_running",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "answer_lost": {
                "value": {
                  "type": "/problems/answer_lost",
                  "title": "The answer was lost",
                  "status": 409,
                  "detail": "The request was carried out; the server stopped before it could answer. The audit log has it.",
                  "code": "answer_lost",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "SlugTaken": {
        "description": "The slug belongs to another item.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 409}, "code": {"const": "slug_taken"}}}
              ]
            },
            "examples": {
              "slug_taken": {
                "value": {
                  "type": "/problems/slug_taken",
                  "title": "The slug belongs to another item",
                  "status": 409,
                  "detail": "Another item has this slug.",
                  "code": "slug_taken",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "SyncTokenExpired": {
        "description": "The token is too old, unreadable, or another store's: start over without it.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 410}, "code": {"const": "sync_token_expired"}}}
              ]
            },
            "examples": {
              "sync_token_expired": {
                "value": {
                  "type": "/problems/sync_token_expired",
                  "title": "The sync token is too old or unreadable",
                  "status": 410,
                  "detail": "The server can no longer tell what changed since this token: start over.",
                  "code": "sync_token_expired",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "PreconditionFailed": {
        "description": "The item is no longer what `If-Match` names.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 412}, "code": {"const": "precondition_failed"}}}
              ]
            },
            "examples": {
              "precondition_failed": {
                "value": {
                  "type": "/problems/precondition_failed",
                  "title": "Somebody changed it in between",
                  "status": 412,
                  "detail": "The item is no longer what If-Match names.",
                  "code": "precondition_failed",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "BodyTooLarge": {
        "description": "The body is larger than this resource accepts.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 413}, "code": {"const": "body_too_large"}}}
              ]
            },
            "examples": {
              "body_too_large": {
                "value": {
                  "type": "/problems/body_too_large",
                  "title": "The body is too large",
                  "status": 413,
                  "detail": "The body is larger than this resource accepts.",
                  "code": "body_too_large",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "URITooLong": {
        "description": "The request line is over 8 KiB. The connection is closed.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 414}, "code": {"const": "uri_too_long"}}}
              ]
            },
            "examples": {
              "uri_too_long": {
                "value": {
                  "type": "/problems/uri_too_long",
                  "title": "The request line is too long",
                  "status": 414,
                  "detail": "The request line is longer than this server accepts.",
                  "code": "uri_too_long",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "UnsupportedMediaType": {
        "description": "The body has no media type or one that the call does not take, or a coding that is not known. `Accept` lists the types.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "Accept-Encoding": {"$ref": "#/components/headers/AcceptEncoding"}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 415},
                    "code": {"enum": ["unsupported_media_type", "unsupported_content_coding"]}
                  }
                }
              ]
            },
            "examples": {
              "unsupported_media_type": {
                "value": {
                  "type": "/problems/unsupported_media_type",
                  "title": "The media type is not supported",
                  "status": 415,
                  "detail": "The Content-Type must be application/json.",
                  "code": "unsupported_media_type",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "unsupported_content_coding": {
                "value": {
                  "type": "/problems/unsupported_content_coding",
                  "title": "The content coding is not supported",
                  "status": 415,
                  "detail": "The body may be coded as gzip or deflate, once.",
                  "code": "unsupported_content_coding",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "ExpectationFailed": {
        "description": "`Expect` asks for something unknown.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 417}, "code": {"const": "expectation_failed"}}}
              ]
            },
            "examples": {
              "expectation_failed": {
                "value": {
                  "type": "/problems/expectation_failed",
                  "title": "The expectation is not known",
                  "status": 417,
                  "detail": "The only expectation known here is 100-continue.",
                  "code": "expectation_failed",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "InvalidQuery": {
        "description": "A query parameter is not acceptable, unknown or given twice.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {"status": {"const": 422}, "code": {"const": "validation_failed"}},
                  "required": ["errors"]
                }
              ]
            },
            "examples": {
              "validation_failed": {
                "value": {
                  "type": "/problems/validation_failed",
                  "title": "The request breaks a rule",
                  "status": 422,
                  "detail": "Not acceptable: limit, colour.",
                  "code": "validation_failed",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e",
                  "errors": [
                    {"pointer": "limit", "code": "out_of_range", "detail": "Must be a whole number from 1 to 500."},
                    {"pointer": "colour", "code": "unknown_parameter", "detail": "There is no such parameter."}
                  ]
                }
              }
            }
          }
        }
      },
      "InvalidBody": {
        "description": "The body is JSON but breaks rules; every one is named.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {"status": {"const": 422}, "code": {"const": "validation_failed"}},
                  "required": ["errors"]
                }
              ]
            },
            "examples": {
              "validation_failed": {
                "value": {
                  "type": "/problems/validation_failed",
                  "title": "The request breaks a rule",
                  "status": 422,
                  "detail": "Not acceptable: #/typical_amount, #/colour.",
                  "code": "validation_failed",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e",
                  "errors": [
                    {
                      "pointer": "#/typical_amount",
                      "code": "too_many_decimals",
                      "detail": "The currency has 2 decimals, this amount has more."
                    },
                    {"pointer": "#/colour", "code": "unknown_field", "detail": "There is no such field to set."}
                  ]
                }
              }
            }
          }
        }
      },
      "RateLimited": {
        "description": "The client has used up its allowance.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "Retry-After": {"$ref": "#/components/headers/RetryAfter"},
          "RateLimit": {"$ref": "#/components/headers/RateLimit"},
          "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 429}, "code": {"const": "rate_limited"}}}
              ]
            },
            "examples": {
              "rate_limited": {
                "value": {
                  "type": "/problems/rate_limited",
                  "title": "Too many requests",
                  "status": 429,
                  "detail": "More than 120 requests of this kind within 60 seconds.",
                  "code": "rate_limited",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "HeaderFieldsTooLarge": {
        "description": "The header fields are over 32 KiB, or more than 100. The connection is closed.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 431}, "code": {"const": "header_fields_too_large"}}}
              ]
            },
            "examples": {
              "header_fields_too_large": {
                "value": {
                  "type": "/problems/header_fields_too_large",
                  "title": "The header fields are too large",
                  "status": 431,
                  "detail": "The header fields are larger than this server accepts.",
                  "code": "header_fields_too_large",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "InternalError": {
        "description": "The server failed; the cause is in its log.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 500}, "code": {"const": "internal_error"}}}
              ]
            },
            "examples": {
              "internal_error": {
                "value": {
                  "type": "/problems/internal_error",
                  "title": "The server failed",
                  "status": 500,
                  "detail": "The server failed; the operator finds the cause under the request id.",
                  "code": "internal_error",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "NotImplemented": {
        "description": "The method or the transfer coding is not known.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 501},
                    "code": {"enum": ["transfer_coding_not_implemented", "method_not_implemented"]}
                  }
                }
              ]
            },
            "examples": {
              "transfer_coding_not_implemented": {
                "value": {
                  "type": "/problems/transfer_coding_not_implemented",
                  "title": "The transfer coding is not known",
                  "status": 501,
                  "detail": "The only transfer coding known here is chunked.",
                  "code": "transfer_coding_not_implemented",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "method_not_implemented": {
                "value": {
                  "type": "/problems/method_not_implemented",
                  "title": "The method is not known",
                  "status": 501,
                  "detail": "This server does not implement the request's method.",
                  "code": "method_not_implemented",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "Overloaded": {
        "description": "The server has too much to do, its storage is full or cannot be written, or the answer took too long. What was sent may be sent again.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "Retry-After": {"$ref": "#/components/headers/RetryAfter"}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 503},
                    "code": {"enum": ["overloaded", "storage_full", "storage_unavailable", "handling_timeout"]}
                  }
                }
              ]
            },
            "examples": {
              "overloaded": {
                "value": {
                  "type": "/problems/overloaded",
                  "title": "The server has too much to do",
                  "status": 503,
                  "detail": "The server has too much to do right now.",
                  "code": "overloaded",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "storage_full": {
                "value": {
                  "type": "/problems/storage_full",
                  "title": "The server has no room for more",
                  "status": 503,
                  "detail": "The storage has reached its ceiling. Nothing was stored.",
                  "code": "storage_full",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "storage_unavailable": {
                "value": {
                  "type": "/problems/storage_unavailable",
                  "title": "The server cannot write to its storage",
                  "status": 503,
                  "detail": "The storage cannot be written at the moment.",
                  "code": "storage_unavailable",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "handling_timeout": {
                "value": {
                  "type": "/problems/handling_timeout",
                  "title": "The answer took too long",
                  "status": 503,
                  "detail": "The answer was not ready in time.",
                  "code": "handling_timeout",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "NotReady": {
        "description": "A check fails; the detail names it.",
        "headers": {
          "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
          "Retry-After": {"$ref": "#/components/headers/RetryAfter"}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 503},
                    "code": {"enum": ["not_ready", "overloaded", "handling_timeout"]}
                  }
                }
              ]
            },
            "examples": {
              "not_ready": {
                "value": {
                  "type": "/problems/not_ready",
                  "title": "The server is not ready",
                  "status": 503,
                  "detail": "Failing check: store. A write to the store failed.",
                  "code": "not_ready",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "overloaded": {
                "value": {
                  "type": "/problems/overloaded",
                  "title": "The server has too much to do",
                  "status": 503,
                  "detail": "The server has too much to do right now.",
                  "code": "overloaded",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "handling_timeout": {
                "value": {
                  "type": "/problems/handling_timeout",
                  "title": "The answer took too long",
                  "status": 503,
                  "detail": "The answer was not ready in time.",
                  "code": "handling_timeout",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "VersionNotSupported": {
        "description": "The version of HTTP is not supported.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 505}, "code": {"const": "version_not_supported"}}}
              ]
            },
            "examples": {
              "version_not_supported": {
                "value": {
                  "type": "/problems/version_not_supported",
                  "title": "The version of HTTP is not supported",
                  "status": 505,
                  "detail": "This server speaks HTTP/1.1 and HTTP/1.0.",
                  "code": "version_not_supported",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "RequestConflict": {
        "description": "A request with the same `Idempotency-Key` runs, or its answer was lost.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 409}, "code": {"enum": ["request_running", "answer_lost"]}}}
              ]
            },
            "examples": {
              "request_running": {
                "value": {
                  "type": "/problems/request_running",
                  "title": "The first request still runs",
                  "status": 409,
                  "detail": "The first request with this key still runs.",
                  "code": "request_running",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "answer_lost": {
                "value": {
                  "type": "/problems/answer_lost",
                  "title": "The answer was lost",
                  "status": 409,
                  "detail": "The request was carried out; the server stopped before it could answer. The audit log has it.",
                  "code": "answer_lost",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "UndoConflict": {
        "description": "Another item has taken the slug, or a request with the same `Idempotency-Key` runs.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 409},
                    "code": {"enum": ["slug_taken", "request_running", "answer_lost"]}
                  }
                }
              ]
            },
            "examples": {
              "slug_taken": {
                "value": {
                  "type": "/problems/slug_taken",
                  "title": "The slug belongs to another item",
                  "status": 409,
                  "detail": "Another item has this slug.",
                  "code": "slug_taken",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "request_running": {
                "value": {
                  "type": "/problems/request_running",
                  "title": "The first request still runs",
                  "status": 409,
                  "detail": "The first request with this key still runs.",
                  "code": "request_running",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "answer_lost": {
                "value": {
                  "type": "/problems/answer_lost",
                  "title": "The answer was lost",
                  "status": 409,
                  "detail": "The request was carried out; the server stopped before it could answer. The audit log has it.",
                  "code": "answer_lost",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "SuggestionConflict": {
        "description": "It is decided, the slug or id is taken, or a request with the same `Idempotency-Key` runs.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 409},
                    "code": {"enum": ["already_decided", "slug_taken", "id_taken", "request_running", "answer_lost"]}
                  }
                }
              ]
            },
            "examples": {
              "already_decided": {
                "value": {
                  "type": "/problems/already_decided",
                  "title": "The suggestion was decided on before",
                  "status": 409,
                  "detail": "The suggestion was approved or rejected before.",
                  "code": "already_decided",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "slug_taken": {
                "value": {
                  "type": "/problems/slug_taken",
                  "title": "The slug belongs to another item",
                  "status": 409,
                  "detail": "Another item has this slug.",
                  "code": "slug_taken",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "id_taken": {
                "value": {
                  "type": "/problems/id_taken",
                  "title": "The id belongs to another item",
                  "status": 409,
                  "detail": "Another item has this id.",
                  "code": "id_taken",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "request_running": {
                "value": {
                  "type": "/problems/request_running",
                  "title": "The first request still runs",
                  "status": 409,
                  "detail": "The first request with this key still runs.",
                  "code": "request_running",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "answer_lost": {
                "value": {
                  "type": "/problems/answer_lost",
                  "title": "The answer was lost",
                  "status": 409,
                  "detail": "The request was carried out; the server stopped before it could answer. The audit log has it.",
                  "code": "answer_lost",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "DecisionConflict": {
        "description": "It is approved, or a request with the same `Idempotency-Key` runs.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 409},
                    "code": {"enum": ["already_decided", "request_running", "answer_lost"]}
                  }
                }
              ]
            },
            "examples": {
              "already_decided": {
                "value": {
                  "type": "/problems/already_decided",
                  "title": "The suggestion was decided on before",
                  "status": 409,
                  "detail": "The suggestion was approved or rejected before.",
                  "code": "already_decided",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "request_running": {
                "value": {
                  "type": "/problems/request_running",
                  "title": "The first request still runs",
                  "status": 409,
                  "detail": "The first request with this key still runs.",
                  "code": "request_running",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              },
              "answer_lost": {
                "value": {
                  "type": "/problems/answer_lost",
                  "title": "The answer was lost",
                  "status": 409,
                  "detail": "The request was carried out; the server stopped before it could answer. The audit log has it.",
                  "code": "answer_lost",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "LastOwner": {
        "description": "It is the last token of the role owner that holds.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 409}, "code": {"const": "last_owner"}}}
              ]
            },
            "examples": {
              "last_owner": {
                "value": {
                  "type": "/problems/last_owner",
                  "title": "It is the last token of an owner",
                  "status": 409,
                  "detail": "This is the last token of the role owner; at the command line it can be revoked.",
                  "code": "last_owner",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "RoleInUse": {
        "description": "Tokens of a role that is not in the list still hold.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"status": {"const": 409}, "code": {"const": "role_in_use"}}}
              ]
            },
            "examples": {
              "role_in_use": {
                "value": {
                  "type": "/problems/role_in_use",
                  "title": "Tokens still have the role",
                  "status": 409,
                  "detail": "Tokens of the role support still hold: revoke them first.",
                  "code": "role_in_use",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "InvalidAdminBody": {
        "description": "The body breaks rules, and every one is named; or the `Idempotency-Key` stands for another request.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 422},
                    "code": {"enum": ["validation_failed", "idempotency_key_reused"]}
                  }
                }
              ]
            },
            "examples": {
              "validation_failed": {
                "value": {
                  "type": "/problems/validation_failed",
                  "title": "The request breaks a rule",
                  "status": 422,
                  "detail": "Not acceptable: #/typical_amount.",
                  "code": "validation_failed",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e",
                  "errors": [
                    {
                      "pointer": "#/typical_amount",
                      "code": "too_many_decimals",
                      "detail": "The currency has 2 decimals, this amount has more."
                    }
                  ]
                }
              },
              "idempotency_key_reused": {
                "value": {
                  "type": "/problems/idempotency_key_reused",
                  "title": "The idempotency key was used before",
                  "status": 422,
                  "detail": "Another request was sent with this key.",
                  "code": "idempotency_key_reused",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      },
      "RefusedImport": {
        "description": "Rows of the file break rules. Beside `errors` the members of the report stand in it, `failed` with the first rows.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestID"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "status": {"const": 422},
                    "code": {"enum": ["validation_failed", "idempotency_key_reused"]}
                  }
                }
              ]
            },
            "examples": {
              "validation_failed": {
                "value": {
                  "type": "/problems/validation_failed",
                  "title": "The request breaks a rule",
                  "status": 422,
                  "detail": "1 of 3 rows cannot be imported; nothing was written.",
                  "code": "validation_failed",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e",
                  "errors": [
                    {
                      "pointer": "#/items/1/typical_amount",
                      "code": "too_many_decimals",
                      "detail": "The currency has 2 decimals, this amount has more."
                    }
                  ]
                }
              },
              "idempotency_key_reused": {
                "value": {
                  "type": "/problems/idempotency_key_reused",
                  "title": "The idempotency key was used before",
                  "status": 422,
                  "detail": "Another request was sent with this key.",
                  "code": "idempotency_key_reused",
                  "request_id": "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e"
                }
              }
            }
          }
        }
      }
    },
    "schemas": {
      "ID": {
        "description": "A UUID in lower case; the server makes version 7.",
        "type": "string",
        "format": "uuid",
        "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
      },
      "GivenID": {
        "description": "Any UUID with its hyphens, in either case.",
        "type": "string",
        "format": "uuid",
        "pattern": "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"
      },
      "Instant": {
        "description": "RFC 3339 in UTC, with milliseconds only when there are any.",
        "type": "string",
        "format": "date-time",
        "pattern": "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{3})?Z$"
      },
      "GivenInstant": {
        "description": "RFC 3339 with a zone and up to nine decimals of a second.",
        "type": "string",
        "format": "date-time",
        "pattern": "^(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])[Tt](?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])|23:59:60(?:\\.[0-9]{1,9})?[Zz])$"
      },
      "Name": {
        "description": "1 to 120 characters (Unicode scalar values). White space around it is cut off. Control characters, line separators, private-use characters, marks that turn the direction of text and invisible characters are refused; so are a name without a visible character, joiners outside of emoji, Arabic and Indic scripts, variation selectors that follow no emoji, and more than four combining marks in a row.",
        "type": "string",
        "pattern": "^[\\u0009-\\u000D\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]*[^\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uE000-\\uF8FF\\uFDD0-\\uFDEF\\uFE00-\\uFE0D\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\uFFFE\\uFFFF𛲠-𛲣𝅳-𝅺󠀀-󠿿󰀀-􏿿\\u0020\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000](?:[^\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uE000-\\uF8FF\\uFDD0-\\uFDEF\\uFE00-\\uFE0D\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\uFFFE\\uFFFF𛲠-𛲣𝅳-𝅺󠀀-󠿿󰀀-􏿿]{0,118}[^\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uE000-\\uF8FF\\uFDD0-\\uFDEF\\uFE00-\\uFE0D\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\uFFFE\\uFFFF𛲠-𛲣𝅳-𝅺󠀀-󠿿󰀀-􏿿\\u0020\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000])?[\\u0009-\\u000D\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]*$"
      },
      "Slug": {
        "description": "Lower-case ASCII words joined by single hyphens; unique in the catalogue.",
        "type": "string",
        "minLength": 1,
        "maxLength": 80,
        "pattern": "^[a-z0-9]+(?:-[a-z0-9]+)*$"
      },
      "Category": {"type": "string", "minLength": 1, "maxLength": 40, "pattern": "^[a-z0-9_]+$"},
      "Amount": {
        "description": "A decimal number from 0 to 1000000000, with no more decimals than its currency has.",
        "type": "string",
        "pattern": "^(?:-0+(?:\\.0{1,3})?|0*[0-9]{1,9}(?:\\.[0-9]{1,3})?|0*1000000000(?:\\.0{1,3})?)$"
      },
      "Currency": {
        "description": "ISO 4217.",
        "anyOf": [
          {"$ref": "#/components/schemas/CurrencyWithTwoDecimals"},
          {"$ref": "#/components/schemas/CurrencyWithoutDecimals"},
          {"$ref": "#/components/schemas/CurrencyWithThreeDecimals"}
        ]
      },
      "CurrencyWithoutDecimals": {
        "type": "string",
        "enum": [
          "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF",
          "XOF", "XPF"
        ]
      },
      "CurrencyWithTwoDecimals": {
        "type": "string",
        "enum": [
          "AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BGN", "BMD", "BND",
          "BOB", "BOV", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHE", "CHF", "CHW", "CNY", "COP",
          "COU", "CRC", "CUP", "CVE", "CZK", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP",
          "GEL", "GHS", "GIP", "GMD", "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "IRR", "JMD",
          "KES", "KGS", "KHR", "KPW", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "MAD", "MDL", "MGA", "MKD",
          "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MXV", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK",
          "NPR", "NZD", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "QAR", "RON", "RSD", "RUB", "SAR", "SBD", "SCR",
          "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT",
          "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "USD", "USN", "UYU", "UZS", "VED", "VES", "WST", "XAD", "XCD",
          "XCG", "YER", "ZAR", "ZMW", "ZWG"
        ]
      },
      "CurrencyWithThreeDecimals": {"type": "string", "enum": ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]},
      "BillingCycle": {
        "description": "`every:18m` is every 18 months; `d`, `w`, `m` and `y` are days, weeks, months and years, 1 to 999.",
        "type": "string",
        "pattern": "^(?:daily|weekly|biweekly|monthly|quarterly|semi_annual|yearly|lifetime|every:[1-9][0-9]{0,2}[dwmy])$"
      },
      "WebLink": {
        "description": "An absolute https URL in ASCII, without user name; the host has at most 253 characters.",
        "type": "string",
        "format": "uri",
        "maxLength": 500,
        "pattern": "^[Hh][Tt][Tt][Pp][Ss]://(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*|\\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\\])(?::(?:0{0,4}[1-9]|0{0,3}[1-9][0-9]|0{0,2}[1-9][0-9]{2}|0?[1-9][0-9]{3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?(?:[/?](?:[A-Za-z0-9/?:@._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?(?:#(?:[A-Za-z0-9/?:@._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?$"
      },
      "CatalogueFields": {
        "description": "What the catalogue says of a service.",
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/ID"},
          "name": {"description": "As people write it.", "type": "string", "minLength": 1, "maxLength": 120},
          "slug": {"$ref": "#/components/schemas/Slug"},
          "category": {"$ref": "#/components/schemas/Category"},
          "typical_amount": {
            "description": "The price of the most common plan, with as many decimals as the currency has.",
            "type": "string",
            "pattern": "^(?:0|[1-9][0-9]{0,9})(?:\\.[0-9]{2,3})?$"
          },
          "currency": {"$ref": "#/components/schemas/Currency"},
          "billing_cycle": {"$ref": "#/components/schemas/BillingCycle"},
          "website": {"anyOf": [{"$ref": "#/components/schemas/WebLink"}, {"type": "null"}]},
          "logo_url": {
            "description": "Where the logo is served.",
            "type": ["string", "null"],
            "format": "uri-reference"
          },
          "cancel_url": {
            "anyOf": [{"$ref": "#/components/schemas/WebLink"}, {"type": "null"}],
            "description": "The page on which a subscriber cancels."
          },
          "notice_days": {
            "description": "Days before the next charge by which a cancellation must have arrived.",
            "type": ["integer", "null"],
            "minimum": 0,
            "maximum": 365
          },
          "aliases": {
            "description": "Other names that a search finds it by.",
            "type": "array",
            "maxItems": 20,
            "uniqueItems": true,
            "items": {"type": "string", "minLength": 1, "maxLength": 120}
          },
          "updated_at": {"$ref": "#/components/schemas/Instant"}
        },
        "required": [
          "id", "name", "slug", "category", "typical_amount", "currency", "billing_cycle", "website", "logo_url",
          "cancel_url", "notice_days", "aliases", "updated_at"
        ]
      },
      "CatalogueItem": {"allOf": [{"$ref": "#/components/schemas/CatalogueFields"}], "unevaluatedProperties": false},
      "CatalogueMatch": {
        "allOf": [{"$ref": "#/components/schemas/CatalogueFields"}],
        "properties": {
          "score": {
            "description": "100 for the whole name, less for a weaker match.",
            "type": "integer",
            "minimum": 35,
            "maximum": 100
          },
          "matched": {
            "description": "The name or alias that matched, as it is spelled.",
            "type": "string",
            "minLength": 1,
            "maxLength": 120
          }
        },
        "required": ["score", "matched"],
        "unevaluatedProperties": false
      },
      "AdminCatalogueItem": {
        "allOf": [{"$ref": "#/components/schemas/CatalogueFields"}],
        "properties": {
          "revision": {
            "description": "Place of its last change in the order of all changes of the catalogue.",
            "type": "integer",
            "minimum": 1
          }
        },
        "required": ["revision"],
        "unevaluatedProperties": false
      },
      "CataloguePage": {
        "description": "The whole catalogue, or what changed since a token, page by page.",
        "type": "object",
        "properties": {
          "items": {"type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/CatalogueItem"}},
          "deleted": {
            "description": "With `since` only: what to remove from the copy.",
            "type": "array",
            "maxItems": 500,
            "items": {"$ref": "#/components/schemas/DeletedItem"}
          },
          "sync_token": {
            "description": "On the last page only: keep it, and send it as `since` next time.",
            "type": "string",
            "minLength": 1
          },
          "next_cursor": {
            "description": "Send it back as `cursor` for the next page; null on the last one.",
            "type": ["string", "null"],
            "minLength": 1
          }
        },
        "required": ["items", "next_cursor"],
        "additionalProperties": false,
        "if": {"properties": {"next_cursor": {"type": "null"}}},
        "then": {"required": ["sync_token"]},
        "else": {"properties": {"sync_token": false}}
      },
      "DeletedItem": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/ID"},
          "merged_into": {
            "anyOf": [{"$ref": "#/components/schemas/ID"}, {"type": "null"}],
            "description": "The item that took its place; null when there is none."
          }
        },
        "required": ["id", "merged_into"],
        "additionalProperties": false
      },
      "CatalogueMatches": {
        "description": "The best matches, best first; there is one page.",
        "type": "object",
        "properties": {
          "items": {"type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/CatalogueMatch"}},
          "next_cursor": {"type": "null"}
        },
        "required": ["items", "next_cursor"],
        "additionalProperties": false
      },
      "AdminCataloguePage": {
        "description": "A page of the catalogue for those who edit it.",
        "type": "object",
        "properties": {
          "items": {"type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/AdminCatalogueItem"}},
          "next_cursor": {
            "description": "Send it back as `cursor` for the next page; null on the last one.",
            "type": ["string", "null"],
            "minLength": 1
          }
        },
        "required": ["items", "next_cursor"],
        "additionalProperties": false
      },
      "NewCatalogueItem": {
        "description": "Without `id` the server makes one. Without `slug` it is made of the name, which must then hold a letter or digit that ASCII can spell.",
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/GivenID"},
          "name": {"$ref": "#/components/schemas/Name"},
          "slug": {"$ref": "#/components/schemas/Slug"},
          "category": {"$ref": "#/components/schemas/Category"},
          "typical_amount": {"$ref": "#/components/schemas/Amount"},
          "currency": {"$ref": "#/components/schemas/Currency"},
          "billing_cycle": {"$ref": "#/components/schemas/BillingCycle"},
          "website": {"anyOf": [{"$ref": "#/components/schemas/WebLink"}, {"type": "null"}]},
          "cancel_url": {"anyOf": [{"$ref": "#/components/schemas/WebLink"}, {"type": "null"}]},
          "notice_days": {"type": ["integer", "null"], "minimum": 0, "maximum": 365},
          "aliases": {
            "description": "They replace those that are there. They must differ from the name and from each other in more than case and accents.",
            "type": "array",
            "maxItems": 20,
            "uniqueItems": true,
            "items": {"$ref": "#/components/schemas/Name"}
          }
        },
        "required": ["name", "category", "typical_amount", "currency", "billing_cycle"],
        "additionalProperties": false,
        "anyOf": [
          {
            "properties": {
              "currency": {"$ref": "#/components/schemas/CurrencyWithTwoDecimals"},
              "typical_amount": {
                "type": "string",
                "pattern": "^(?:-0+(?:\\.0{1,2})?|0*[0-9]{1,9}(?:\\.[0-9]{1,2})?|0*1000000000(?:\\.0{1,2})?)$"
              }
            }
          },
          {
            "properties": {
              "currency": {"$ref": "#/components/schemas/CurrencyWithoutDecimals"},
              "typical_amount": {"type": "string", "pattern": "^(?:-0+|0*(?:[0-9]{1,9}|1000000000))$"}
            }
          },
          {
            "properties": {
              "currency": {"$ref": "#/components/schemas/CurrencyWithThreeDecimals"},
              "typical_amount": {
                "type": "string",
                "pattern": "^(?:-0+(?:\\.0{1,3})?|0*[0-9]{1,9}(?:\\.[0-9]{1,3})?|0*1000000000(?:\\.0{1,3})?)$"
              }
            }
          }
        ]
      },
      "CatalogueChange": {
        "description": "The fields to change; null empties one that can be empty. An amount with more decimals than its currency has is refused, also when only the currency is given.",
        "type": "object",
        "properties": {
          "name": {"$ref": "#/components/schemas/Name"},
          "slug": {"$ref": "#/components/schemas/Slug"},
          "category": {"$ref": "#/components/schemas/Category"},
          "typical_amount": {"$ref": "#/components/schemas/Amount"},
          "currency": {"$ref": "#/components/schemas/Currency"},
          "billing_cycle": {"$ref": "#/components/schemas/BillingCycle"},
          "website": {"anyOf": [{"$ref": "#/components/schemas/WebLink"}, {"type": "null"}]},
          "cancel_url": {"anyOf": [{"$ref": "#/components/schemas/WebLink"}, {"type": "null"}]},
          "notice_days": {"type": ["integer", "null"], "minimum": 0, "maximum": 365},
          "aliases": {
            "description": "They replace those that are there. They must differ from the name and from each other in more than case and accents.",
            "type": "array",
            "maxItems": 20,
            "uniqueItems": true,
            "items": {"$ref": "#/components/schemas/Name"}
          }
        },
        "additionalProperties": false,
        "minProperties": 1
      },
      "AnalyticsErasure": {
        "type": "object",
        "properties": {
          "user_id": {
            "description": "64 lower-case hexadecimal digits.",
            "type": "string",
            "minLength": 64,
            "maxLength": 64,
            "pattern": "^[0-9a-f]{64}$"
          }
        },
        "required": ["user_id"],
        "additionalProperties": false
      },
      "AppleSignIn": {
        "type": "object",
        "properties": {
          "identity_token": {"description": "At most 8192 bytes.", "type": "string", "minLength": 1, "maxLength": 8192},
          "nonce": {"description": "At most 256 bytes.", "type": "string", "minLength": 1, "maxLength": 256}
        },
        "required": ["identity_token", "nonce"],
        "additionalProperties": false
      },
      "SessionRefresh": {
        "type": "object",
        "properties": {
          "refresh_token": {"description": "At most 128 bytes.", "type": "string", "minLength": 1, "maxLength": 128}
        },
        "required": ["refresh_token"],
        "additionalProperties": false
      },
      "SessionTokens": {
        "description": "Shown once: the server keeps hashes alone.",
        "type": "object",
        "properties": {
          "access_token": {"type": "string", "pattern": "^sga_[A-Za-z0-9_-]{43}$"},
          "refresh_token": {"type": "string", "pattern": "^sgr_[A-Za-z0-9_-]{43}$"},
          "expires_in": {
            "description": "Seconds for which the access token opens calls.",
            "type": "integer",
            "minimum": 1
          },
          "token_type": {"const": "Bearer"}
        },
        "required": ["access_token", "refresh_token", "expires_in", "token_type"],
        "additionalProperties": false
      },
      "AppleAccountNotification": {
        "description": "Further members are passed over.",
        "type": "object",
        "properties": {
          "payload": {"description": "At most 16384 bytes.", "type": "string", "minLength": 1, "maxLength": 16384}
        },
        "required": ["payload"]
      },
      "TransactionProof": {
        "type": "object",
        "properties": {
          "signed_transaction": {
            "description": "At most 32768 bytes.",
            "type": "string",
            "minLength": 1,
            "maxLength": 32768
          }
        },
        "required": ["signed_transaction"],
        "additionalProperties": false
      },
      "AppStoreNotification": {
        "description": "Further members are passed over.",
        "type": "object",
        "properties": {
          "signedPayload": {
            "description": "At most 131072 bytes.",
            "type": "string",
            "minLength": 1,
            "maxLength": 131072
          }
        },
        "required": ["signedPayload"]
      },
      "Premium": {
        "description": "What an account has bought, as it stands now.",
        "type": "object",
        "properties": {
          "status": {
            "description": "`active` and `grace_period` give premium.",
            "enum": [
              "none", "active", "grace_period", "billing_retry", "expired", "revoked", "refunded", "upgraded"
            ]
          },
          "product_id": {"description": "Null when nothing was ever bought.", "type": ["string", "null"]},
          "expires_at": {
            "description": "Until when it gives premium, or when it ended; null for what never ends.",
            "oneOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]
          },
          "app_account_token": {
            "description": "For the `appAccountToken` of a purchase, so that it names this account and no other can claim it.",
            "type": "string",
            "format": "uuid"
          }
        },
        "required": ["status", "product_id", "expires_at", "app_account_token"],
        "additionalProperties": false
      },
      "Suggestion": {
        "description": "A service that a device misses in the catalogue.",
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/GivenID", "description": "Made by the device; it tells a repetition."},
          "name": {"$ref": "#/components/schemas/Name"}
        },
        "required": ["id", "name"],
        "additionalProperties": false
      },
      "SuggestionQueue": {
        "description": "What a device has queued while it was offline.",
        "type": "object",
        "properties": {
          "suggestions": {
            "type": "array",
            "minItems": 1,
            "maxItems": 100,
            "items": {"$ref": "#/components/schemas/Suggestion"}
          }
        },
        "required": ["suggestions"],
        "additionalProperties": false
      },
      "SuggestionReceipt": {
        "type": "object",
        "properties": {
          "accepted": {"type": "integer", "minimum": 0, "maximum": 100},
          "duplicates": {
            "description": "Suggestions whose id was known already.",
            "type": "integer",
            "minimum": 0,
            "maximum": 100
          }
        },
        "required": ["accepted", "duplicates"],
        "additionalProperties": false
      },
      "EventName": {
        "description": "The events of the registry.",
        "type": "string",
        "enum": [
          "app_downloaded", "first_subscription_added", "five_subscriptions_reached", "retention_d1", "retention_d7",
          "retention_d30", "app_opened", "subscription_added", "subscription_removed", "premium_conversion"
        ]
      },
      "EventProperties": {
        "description": "The properties of the registry. Short texts are printable ASCII. Which event takes which is said in `Event`.",
        "type": "object",
        "properties": {
          "app_version": {"type": "string", "minLength": 1, "maxLength": 64},
          "os_version": {"type": "string", "minLength": 1, "maxLength": 64},
          "platform": {"type": "string", "minLength": 1, "maxLength": 64},
          "locale": {"type": "string", "examples": ["fr-FR"]},
          "catalogue_item_id": {"type": "string", "format": "uuid"},
          "price_tier": {"type": "string", "minLength": 1, "maxLength": 64},
          "days_since_first_launch": {"type": "integer", "minimum": 0, "maximum": 36500}
        },
        "additionalProperties": false
      },
      "Event": {
        "description": "One that breaks a rule does not fail the request: it is listed in `rejected`.",
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/GivenID", "description": "Made by the device; it tells a repetition."},
          "name": {"$ref": "#/components/schemas/EventName"},
          "user_id": {
            "description": "SHA-256 of the device's anonymous id, in lower-case hexadecimal.",
            "type": "string",
            "minLength": 64,
            "maxLength": 64,
            "pattern": "^[0-9a-f]{64}$"
          },
          "timestamp": {
            "$ref": "#/components/schemas/GivenInstant",
            "description": "By the device's clock, at most 24 hours ahead of and 400 days behind the server's."
          },
          "properties": {"$ref": "#/components/schemas/EventProperties"}
        },
        "required": ["id", "name", "user_id", "timestamp"],
        "additionalProperties": false,
        "allOf": [
          {
            "if": {
              "properties": {
                "name": {
                  "enum": [
                    "app_downloaded", "first_subscription_added", "five_subscriptions_reached", "retention_d1",
                    "retention_d7", "retention_d30", "app_opened"
                  ]
                }
              }
            },
            "then": {
              "properties": {
                "properties": {"propertyNames": {"enum": ["app_version", "os_version", "platform", "locale"]}}
              }
            }
          },
          {
            "if": {"properties": {"name": {"enum": ["subscription_added", "subscription_removed"]}}},
            "then": {
              "properties": {
                "properties": {
                  "propertyNames": {"enum": ["app_version", "os_version", "platform", "locale", "catalogue_item_id"]}
                }
              }
            }
          },
          {
            "if": {"properties": {"name": {"enum": ["premium_conversion"]}}},
            "then": {
              "properties": {
                "properties": {
                  "propertyNames": {
                    "enum": ["app_version", "os_version", "platform", "locale", "price_tier", "days_since_first_launch"]
                  }
                }
              }
            }
          }
        ]
      },
      "EventList": {"type": "array", "minItems": 1, "maxItems": 1000, "items": {"$ref": "#/components/schemas/Event"}},
      "EventBatch": {
        "type": "object",
        "properties": {
          "events": {"$ref": "#/components/schemas/EventList"},
          "sent_at": {
            "$ref": "#/components/schemas/GivenInstant",
            "description": "The device's clock at the moment of sending. Every timestamp is moved by the difference to the server's clock."
          }
        },
        "required": ["events"],
        "additionalProperties": false
      },
      "EventRejection": {
        "description": "The first rule that the event breaks, in this order.",
        "type": "string",
        "enum": [
          "invalid_event", "invalid_id", "unknown_event", "invalid_user_id", "invalid_timestamp",
          "timestamp_out_of_range", "property_not_allowed", "invalid_property"
        ]
      },
      "RejectedEvent": {
        "type": "object",
        "properties": {
          "index": {
            "description": "Its place in the request, from 0.",
            "type": "integer",
            "minimum": 0,
            "maximum": 999
          },
          "code": {"$ref": "#/components/schemas/EventRejection"},
          "detail": {"type": "string", "minLength": 1}
        },
        "required": ["index", "code", "detail"],
        "additionalProperties": false
      },
      "EventReceipt": {
        "type": "object",
        "properties": {
          "accepted": {
            "description": "Events that are on disk now.",
            "type": "integer",
            "minimum": 0,
            "maximum": 1000
          },
          "duplicates": {
            "description": "Events whose id was known already.",
            "type": "integer",
            "minimum": 0,
            "maximum": 1000
          },
          "rejected": {"type": "array", "maxItems": 1000, "items": {"$ref": "#/components/schemas/RejectedEvent"}},
          "rejected_omitted": {
            "description": "How many more events were rejected than `rejected` names; absent when it names all. It names 100 at least, and one for each 10 bytes of the request as sent.",
            "type": "integer",
            "minimum": 1,
            "maximum": 900
          }
        },
        "required": ["accepted", "duplicates", "rejected"],
        "additionalProperties": false
      },
      "CrashFrame": {
        "type": "object",
        "properties": {
          "function": {"description": "At most 160 bytes of it are kept.", "type": "string", "minLength": 1, "maxLength": 160},
          "module": {"description": "At most 160 bytes of it are kept.", "type": "string", "minLength": 1, "maxLength": 160},
          "file": {"description": "At most 160 bytes of it are kept.", "type": "string", "minLength": 1, "maxLength": 160},
          "line": {"type": "integer", "minimum": 0, "maximum": 9223372036854775807},
          "in_app": {"description": "Whether the frame is the program's own.", "type": "boolean"}
        },
        "additionalProperties": false
      },
      "Crash": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/GivenID"},
          "timestamp": {"$ref": "#/components/schemas/GivenInstant"},
          "type": {
            "description": "What crashed it, such as the name of an exception or a signal. At most 160 bytes of it are kept.",
            "type": "string",
            "minLength": 1,
            "maxLength": 160
          },
          "message": {
            "description": "Masked before it is stored. At most 1024 bytes of it are kept.",
            "type": "string",
            "minLength": 1,
            "maxLength": 1024
          },
          "level": {"type": "string", "enum": ["debug", "info", "warning", "error", "fatal"], "default": "fatal"},
          "handled": {"description": "Whether the program went on.", "type": "boolean"},
          "app_version": {
            "description": "A version, a commit, or `package@version`.",
            "type": "string",
            "minLength": 1,
            "maxLength": 96,
            "pattern": "^(?:[A-Za-z0-9 ._+()/-]+|[A-Za-z0-9 ._+()/-]+@(?:[0-9]+(?:[.+_ -][A-Za-z0-9 ._+()/-]*)?|[0-9A-Fa-f]{7,}))$"
          },
          "app_build": {
            "description": "The build.",
            "type": "string",
            "minLength": 1,
            "maxLength": 40,
            "pattern": "^[A-Za-z0-9 ._+()-]+$"
          },
          "environment": {
            "description": "Such as `production`.",
            "type": "string",
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[A-Za-z0-9._-]+$"
          },
          "platform": {
            "description": "Such as `ios`.",
            "type": "string",
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[A-Za-z0-9._-]+$"
          },
          "os_name": {"description": "At most 64 bytes of it are kept.", "type": "string", "minLength": 1, "maxLength": 64},
          "os_version": {
            "description": "The system's version.",
            "type": "string",
            "minLength": 1,
            "maxLength": 40,
            "pattern": "^[A-Za-z0-9 ._+()-]+$"
          },
          "device_model": {
            "description": "The model, never a name. At most 64 bytes of it are kept.",
            "type": "string",
            "minLength": 1,
            "maxLength": 64
          },
          "fingerprint": {
            "description": "Groups crashes by these texts instead of type and frames; `{{ default }}` stands for the latter.",
            "type": "array",
            "minItems": 1,
            "maxItems": 5,
            "items": {"description": "At most 160 bytes of it are kept.", "type": "string", "minLength": 1, "maxLength": 160}
          },
          "frames": {
            "description": "The innermost first.",
            "type": "array",
            "maxItems": 40,
            "items": {"$ref": "#/components/schemas/CrashFrame"}
          }
        },
        "required": ["id", "timestamp", "type", "app_version"],
        "additionalProperties": false
      },
      "SessionCount": {
        "description": "Sessions that began about one moment with one version.",
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/GivenID"},
          "started_at": {"$ref": "#/components/schemas/GivenInstant"},
          "app_version": {
            "description": "A version, a commit, or `package@version`.",
            "type": "string",
            "minLength": 1,
            "maxLength": 96,
            "pattern": "^(?:[A-Za-z0-9 ._+()/-]+|[A-Za-z0-9 ._+()/-]+@(?:[0-9]+(?:[.+_ -][A-Za-z0-9 ._+()/-]*)?|[0-9A-Fa-f]{7,}))$"
          },
          "total": {"type": "integer", "minimum": 1, "maximum": 10000},
          "crashed": {"description": "At most `total`.", "type": "integer", "minimum": 0, "maximum": 10000}
        },
        "required": ["id", "started_at", "app_version", "total", "crashed"],
        "additionalProperties": false
      },
      "CrashSubmission": {
        "type": "object",
        "properties": {
          "sent_at": {"$ref": "#/components/schemas/GivenInstant"},
          "crashes": {"type": "array", "maxItems": 100, "items": {"$ref": "#/components/schemas/Crash"}},
          "sessions": {"type": "array", "maxItems": 100, "items": {"$ref": "#/components/schemas/SessionCount"}}
        },
        "anyOf": [{"required": ["crashes"]}, {"required": ["sessions"]}],
        "additionalProperties": false
      },
      "CrashReceipt": {
        "type": "object",
        "properties": {
          "accepted": {"description": "Entries that are on disk now.", "type": "integer", "minimum": 0, "maximum": 200},
          "duplicates": {"description": "Entries whose id was known already.", "type": "integer", "minimum": 0, "maximum": 200}
        },
        "required": ["accepted", "duplicates"],
        "additionalProperties": false
      },
      "EnvelopeReceipt": {
        "type": "object",
        "properties": {
          "id": {
            "description": "The event's id; missing for an envelope without an id.",
            "type": "string",
            "pattern": "^[0-9a-f]{32}$"
          }
        },
        "additionalProperties": false
      },
      "PostHogEvent": {
        "type": "object",
        "properties": {
          "event": {"type": "string"},
          "distinct_id": {"type": ["string", "number"]},
          "uuid": {"$ref": "#/components/schemas/GivenID"},
          "timestamp": {"$ref": "#/components/schemas/GivenInstant"},
          "properties": {"type": "object"}
        },
        "required": ["event", "distinct_id"]
      },
      "PostHogBatch": {
        "type": "object",
        "properties": {
          "api_key": {"type": "string", "minLength": 1},
          "sent_at": {"$ref": "#/components/schemas/GivenInstant"},
          "historical_migration": {"type": "boolean"},
          "batch": {"type": "array", "maxItems": 5000, "items": {"$ref": "#/components/schemas/PostHogEvent"}}
        },
        "required": ["api_key", "batch"]
      },
      "PostHogReceipt": {
        "type": "object",
        "properties": {"status": {"const": 1}},
        "required": ["status"],
        "additionalProperties": false
      },
      "CrashVersion": {
        "type": "object",
        "properties": {
          "release": {"description": "Null for reports that named none.", "type": ["string", "null"]},
          "count": {"type": "integer", "minimum": 1},
          "last_seen_at": {"$ref": "#/components/schemas/Instant"}
        },
        "required": ["release", "count", "last_seen_at"],
        "additionalProperties": false
      },
      "CrashGroupFields": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/ID"},
          "title": {"type": "string", "minLength": 1},
          "culprit": {"description": "Where it happens; null without a stack.", "type": ["string", "null"]},
          "platform": {"type": ["string", "null"]},
          "level": {
            "description": "Of the newest report.",
            "type": "string",
            "enum": ["debug", "info", "warning", "error", "fatal"]
          },
          "status": {
            "description": "A resolved group is open again once it crashes later than `decided_at`.",
            "type": "string",
            "enum": ["open", "resolved", "ignored"]
          },
          "count": {"type": "integer", "minimum": 1},
          "first_seen_at": {"$ref": "#/components/schemas/Instant"},
          "last_seen_at": {"$ref": "#/components/schemas/Instant"},
          "decided_at": {
            "description": "When it was resolved or ignored; null while it is open, unless a report opened it.",
            "oneOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]
          },
          "regressed_at": {
            "description": "When a report opened it after it had been resolved; null after the next decision.",
            "oneOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]
          },
          "versions": {
            "description": "The ones with most reports first.",
            "type": "array",
            "items": {"$ref": "#/components/schemas/CrashVersion"}
          }
        },
        "required": [
          "id",
          "title",
          "culprit",
          "platform",
          "level",
          "status",
          "count",
          "first_seen_at",
          "last_seen_at",
          "decided_at",
          "regressed_at",
          "versions"
        ]
      },
      "CrashGroup": {"allOf": [{"$ref": "#/components/schemas/CrashGroupFields"}], "unevaluatedProperties": false},
      "CrashGroupPage": {
        "type": "object",
        "properties": {
          "items": {"type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/CrashGroup"}},
          "next_cursor": {"type": ["string", "null"]}
        },
        "required": ["items", "next_cursor"],
        "additionalProperties": false
      },
      "CrashGroupDetail": {
        "allOf": [{"$ref": "#/components/schemas/CrashGroupFields"}],
        "properties": {
          "samples": {
            "type": "array",
            "maxItems": 5,
            "items": {
              "type": "object",
              "properties": {
                "occurred_at": {"$ref": "#/components/schemas/Instant"},
                "report": {"description": "The fields that are kept, and no others.", "type": "object"}
              },
              "required": ["occurred_at", "report"],
              "additionalProperties": false
            }
          }
        },
        "required": ["samples"],
        "unevaluatedProperties": false
      },
      "CrashBulk": {
        "type": "object",
        "properties": {
          "ids": {
            "type": "array",
            "minItems": 1,
            "maxItems": 500,
            "uniqueItems": true,
            "items": {"$ref": "#/components/schemas/GivenID"}
          },
          "action": {"enum": ["resolve", "ignore", "reopen", "delete"]}
        },
        "required": ["ids", "action"],
        "additionalProperties": false
      },
      "CrashBulkResults": {
        "type": "object",
        "properties": {
          "results": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "id": {"$ref": "#/components/schemas/ID"},
                "result": {"enum": ["resolved", "ignored", "reopened", "deleted", "not_found"]}
              },
              "required": ["id", "result"],
              "additionalProperties": false
            }
          }
        },
        "required": ["results"],
        "additionalProperties": false
      },
      "CrashReleaseBulk": {
        "type": "object",
        "properties": {
          "releases": {
            "type": "array",
            "minItems": 1,
            "maxItems": 500,
            "uniqueItems": true,
            "items": {"type": "string", "minLength": 1, "maxLength": 96, "pattern": "^[ -~]+$"}
          },
          "action": {"const": "delete"}
        },
        "required": ["releases", "action"],
        "additionalProperties": false
      },
      "CrashReleaseBulkResults": {
        "type": "object",
        "properties": {
          "results": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "release": {"type": "string"},
                "result": {"enum": ["deleted", "not_found"]}
              },
              "required": ["release", "result"],
              "additionalProperties": false
            }
          }
        },
        "required": ["results"],
        "additionalProperties": false
      },
      "ReleaseHealth": {
        "type": "object",
        "properties": {
          "release": {"type": "string"},
          "sessions": {"type": "integer", "minimum": 0},
          "crashed": {"type": "integer", "minimum": 0},
          "abnormal": {"type": "integer", "minimum": 0},
          "errored": {"description": "With an error at least; crashes are among them.", "type": "integer", "minimum": 0},
          "reports": {"description": "Crash reports in all groups.", "type": "integer", "minimum": 0},
          "crash_free_sessions": {
            "description": "Percent; null without sessions.",
            "type": ["number", "null"],
            "minimum": 0,
            "maximum": 100
          }
        },
        "required": ["release", "sessions", "crashed", "abnormal", "errored", "reports", "crash_free_sessions"],
        "additionalProperties": false
      },
      "ReleaseHealthList": {
        "type": "object",
        "properties": {
          "definition": {"type": "string", "minLength": 1},
          "zone": {"const": "UTC"},
          "items": {"type": "array", "items": {"$ref": "#/components/schemas/ReleaseHealth"}},
          "next_cursor": {"type": "null"}
        },
        "required": ["definition", "zone", "items", "next_cursor"],
        "additionalProperties": false
      },
      "AlertChannelName": {"type": "string", "enum": ["slack", "email", "webhook"]},
      "AlertThreshold": {
        "type": "object",
        "properties": {
          "threshold": {"description": "A number of users.", "type": "integer", "minimum": 1, "maximum": 100000000000},
          "active": {"description": "Whether it is in the present list.", "type": "boolean"},
          "fired_at": {
            "description": "Null while it has not fired.",
            "anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]
          },
          "user_count": {"description": "How many users there were when it fired.", "type": ["integer", "null"], "minimum": 0}
        },
        "required": ["threshold", "active", "fired_at", "user_count"],
        "additionalProperties": false
      },
      "AlertThresholds": {
        "type": "object",
        "properties": {"thresholds": {"type": "array", "items": {"$ref": "#/components/schemas/AlertThreshold"}}},
        "required": ["thresholds"],
        "additionalProperties": false
      },
      "AlertThresholdChange": {
        "type": "object",
        "properties": {
          "thresholds": {
            "description": "Each number once.",
            "type": "array",
            "maxItems": 100,
            "uniqueItems": true,
            "items": {"type": "integer", "minimum": 1, "maximum": 100000000000}
          }
        },
        "required": ["thresholds"],
        "additionalProperties": false
      },
      "AlertChannel": {
        "type": "object",
        "properties": {
          "channel": {"$ref": "#/components/schemas/AlertChannelName"},
          "target": {"description": "Without what is secret in it.", "type": "string"},
          "disabled_at": {
            "description": "Null while it is in use.",
            "anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]
          },
          "disabled_reason": {"type": ["string", "null"]}
        },
        "required": ["channel", "target", "disabled_at", "disabled_reason"],
        "additionalProperties": false
      },
      "AlertDelivery": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/ID"},
          "kind": {"type": "string", "enum": ["threshold", "test", "storage"]},
          "threshold": {"description": "Null unless `kind` is `threshold`.", "type": ["integer", "null"], "minimum": 1},
          "channel": {"$ref": "#/components/schemas/AlertChannelName"},
          "target": {"description": "Without what is secret in it.", "type": "string"},
          "status": {
            "description": "`pending`: not tried yet, or asked for again. `retrying`: failed, and tried again at `next_attempt_at`. `dead`: given up.",
            "type": "string",
            "enum": ["pending", "delivered", "retrying", "dead"]
          },
          "attempts": {"type": "integer", "minimum": 0},
          "created_at": {"$ref": "#/components/schemas/Instant"},
          "last_attempt_at": {"anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]},
          "next_attempt_at": {
            "description": "Null when nothing more will be tried.",
            "anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]
          },
          "delivered_at": {"anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]},
          "last_error": {"description": "What went wrong last, without what is secret.", "type": ["string", "null"]}
        },
        "required": [
          "id",
          "kind",
          "threshold",
          "channel",
          "target",
          "status",
          "attempts",
          "created_at",
          "last_attempt_at",
          "next_attempt_at",
          "delivered_at",
          "last_error"
        ],
        "additionalProperties": false
      },
      "AlertDeliveries": {
        "type": "object",
        "properties": {"deliveries": {"type": "array", "items": {"$ref": "#/components/schemas/AlertDelivery"}}},
        "required": ["deliveries"],
        "additionalProperties": false
      },
      "AlertTest": {
        "type": "object",
        "properties": {"channel": {"anyOf": [{"$ref": "#/components/schemas/AlertChannelName"}, {"type": "null"}]}},
        "required": [],
        "additionalProperties": false
      },
      "Alerts": {
        "type": "object",
        "properties": {
          "thresholds": {"type": "array", "items": {"$ref": "#/components/schemas/AlertThreshold"}},
          "channels": {
            "description": "Those that are configured.",
            "type": "array",
            "items": {"$ref": "#/components/schemas/AlertChannel"}
          },
          "items": {"type": "array", "items": {"$ref": "#/components/schemas/AlertDelivery"}},
          "next_cursor": {"type": ["string", "null"]}
        },
        "required": ["thresholds", "channels", "items", "next_cursor"],
        "additionalProperties": false
      },
      "Dashboard": {
        "type": "object",
        "properties": {
          "as_of": {"$ref": "#/components/schemas/Instant"},
          "zone": {"const": "UTC"},
          "definition": {"description": "What the weeks and the trend mean.", "type": "string", "minLength": 1},
          "total_users": {"$ref": "#/components/schemas/CountFigure"},
          "active_users_30d": {"$ref": "#/components/schemas/CountFigure"},
          "subscriptions_tracked": {"$ref": "#/components/schemas/BalanceFigure"},
          "premium_conversions": {"$ref": "#/components/schemas/CountFigure"},
          "crash_free_sessions": {"$ref": "#/components/schemas/RateFigure"}
        },
        "required": [
          "as_of", "zone", "definition", "total_users", "active_users_30d", "subscriptions_tracked",
          "premium_conversions", "crash_free_sessions"
        ],
        "additionalProperties": false
      },
      "CountFigure": {
        "description": "A number of users.",
        "type": "object",
        "properties": {
          "value": {"type": "integer", "minimum": 0},
          "this_week": {"type": "integer", "minimum": 0},
          "last_week": {"type": "integer", "minimum": 0},
          "trend_percent": {"type": ["number", "null"]},
          "definition": {"type": "string", "minLength": 1}
        },
        "required": ["value", "this_week", "last_week", "trend_percent", "definition"],
        "additionalProperties": false
      },
      "BalanceFigure": {
        "description": "What was added less what was removed; may be negative.",
        "type": "object",
        "properties": {
          "value": {"type": "integer"},
          "this_week": {"type": "integer"},
          "last_week": {"type": "integer"},
          "trend_percent": {"type": ["number", "null"]},
          "definition": {"type": "string", "minLength": 1}
        },
        "required": ["value", "this_week", "last_week", "trend_percent", "definition"],
        "additionalProperties": false
      },
      "RateFigure": {
        "description": "Percent with one decimal; null while nothing is known.",
        "type": "object",
        "properties": {
          "value": {"type": ["number", "null"], "minimum": 0, "maximum": 100},
          "this_week": {"type": ["number", "null"], "minimum": 0, "maximum": 100},
          "last_week": {"type": ["number", "null"], "minimum": 0, "maximum": 100},
          "trend_percent": {"type": ["number", "null"]},
          "definition": {"type": "string", "minLength": 1}
        },
        "required": ["value", "this_week", "last_week", "trend_percent", "definition"],
        "additionalProperties": false
      },
      "Day": {"description": "A day in UTC.", "type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
      "Funnel": {
        "type": "object",
        "properties": {
          "as_of": {"$ref": "#/components/schemas/Instant"},
          "zone": {"const": "UTC"},
          "definition": {"type": "string", "minLength": 1},
          "from": {"anyOf": [{"$ref": "#/components/schemas/Day"}, {"type": "null"}]},
          "to": {"anyOf": [{"$ref": "#/components/schemas/Day"}, {"type": "null"}]},
          "stages": {"type": "array", "minItems": 5, "maxItems": 5, "items": {"$ref": "#/components/schemas/FunnelStage"}}
        },
        "required": ["as_of", "zone", "definition", "from", "to", "stages"],
        "additionalProperties": false
      },
      "FunnelStage": {
        "type": "object",
        "properties": {
          "name": {"enum": ["downloads", "first_subscription", "five_subscriptions", "retention_d7", "retention_d30"]},
          "count": {"type": "integer", "minimum": 0},
          "percent_of_previous": {
            "description": "Null over zero, and for the first stage. A stage does not need the one before it, so that this may be over 100.",
            "type": ["number", "null"],
            "minimum": 0
          },
          "percent_of_first": {"type": ["number", "null"], "minimum": 0}
        },
        "required": ["name", "count", "percent_of_previous", "percent_of_first"],
        "additionalProperties": false
      },
      "Cohorts": {
        "type": "object",
        "properties": {
          "as_of": {"$ref": "#/components/schemas/Instant"},
          "zone": {"const": "UTC"},
          "definition": {"type": "string", "minLength": 1},
          "from": {"anyOf": [{"$ref": "#/components/schemas/Day"}, {"type": "null"}]},
          "to": {"anyOf": [{"$ref": "#/components/schemas/Day"}, {"type": "null"}]},
          "cohorts": {"type": "array", "items": {"$ref": "#/components/schemas/Cohort"}}
        },
        "required": ["as_of", "zone", "definition", "from", "to", "cohorts"],
        "additionalProperties": false
      },
      "Cohort": {
        "type": "object",
        "properties": {
          "week": {"type": "string", "pattern": "^[0-9]{4}-W[0-9]{2}$"},
          "starts_on": {"$ref": "#/components/schemas/Day"},
          "users": {"type": "integer", "minimum": 1},
          "d1": {"anyOf": [{"$ref": "#/components/schemas/Retention"}, {"type": "null"}]},
          "d7": {"anyOf": [{"$ref": "#/components/schemas/Retention"}, {"type": "null"}]},
          "d30": {"anyOf": [{"$ref": "#/components/schemas/Retention"}, {"type": "null"}]}
        },
        "required": ["week", "starts_on", "users", "d1", "d7", "d30"],
        "additionalProperties": false
      },
      "Retention": {
        "description": "Of the users of the week who have reached the day, those who came back.",
        "type": "object",
        "properties": {
          "count": {"type": "integer", "minimum": 0},
          "eligible": {"type": "integer", "minimum": 1},
          "percent": {"type": "number", "minimum": 0, "maximum": 100},
          "rating": {
            "description": "By the percent as shown: over 50, under 20, or between.",
            "enum": ["green", "neutral", "red"]
          }
        },
        "required": ["count", "eligible", "percent", "rating"],
        "additionalProperties": false
      },
      "Ranking": {
        "type": "object",
        "properties": {
          "as_of": {"$ref": "#/components/schemas/Instant"},
          "zone": {"const": "UTC"},
          "definition": {"type": "string", "minLength": 1},
          "items": {"type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/RankedItem"}}
        },
        "required": ["as_of", "zone", "definition", "items"],
        "additionalProperties": false
      },
      "RankedItem": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/ID"},
          "name": {"$ref": "#/components/schemas/Name"},
          "logo_url": {"type": ["string", "null"]},
          "count": {"type": "integer", "minimum": 1}
        },
        "required": ["id", "name", "logo_url", "count"],
        "additionalProperties": false
      },
      "Health": {
        "type": "object",
        "properties": {"status": {"const": "ok"}},
        "required": ["status"],
        "additionalProperties": false
      },
      "Readiness": {
        "type": "object",
        "properties": {
          "status": {"const": "ready"},
          "checks": {
            "type": "object",
            "properties": {
              "migrations": {"const": "ok"},
              "store": {"const": "ok"},
              "storage": {
                "description": "`full`: devices are answered 503 `storage_full`, while reading goes on.",
                "type": "string",
                "enum": ["ok", "nearly_full", "full"]
              }
            },
            "required": ["migrations", "store", "storage"],
            "additionalProperties": false
          }
        },
        "required": ["status", "checks"],
        "additionalProperties": false
      },
      "OpenAPIDocument": {
        "type": "object",
        "properties": {
          "openapi": {"type": "string", "pattern": "^3\\.1\\.[0-9]+$"},
          "info": {"type": "object"},
          "paths": {"type": "object"}
        },
        "required": ["openapi", "info", "paths"]
      },
      "ProblemCode": {
        "description": "What went wrong; never changes its meaning. `GET /problems/{code}` explains each.",
        "type": "string",
        "enum": [
          "malformed_request", "malformed_path", "malformed_query", "malformed_json", "unauthorized", "forbidden",
          "cross_site", "not_found", "method_not_allowed", "request_timeout", "conflict", "slug_taken", "id_taken", "role_in_use",
          "last_owner", "already_decided", "request_running", "answer_lost", "sync_token_expired", "purchase_taken",
          "precondition_failed", "body_too_large", "uri_too_long", "unsupported_media_type",
          "unsupported_content_coding", "expectation_failed", "validation_failed", "idempotency_key_reused",
          "invalid_identity_token", "invalid_refresh_token", "ingest_signature_required", "ingest_signature_invalid",
          "ingest_signature_expired", "invalid_signature", "invalid_transaction", "rate_limited", "header_fields_too_large", "internal_error", "method_not_implemented",
          "transfer_coding_not_implemented", "sign_in_not_configured", "premium_not_configured", "apple_unavailable",
          "not_ready", "overloaded", "storage_full", "storage_unavailable", "handling_timeout", "version_not_supported"
        ]
      },
      "FaultCode": {
        "description": "Why a value is refused. One fault has one code wherever it is found.",
        "type": "string",
        "enum": [
            "required", "unknown_field", "unknown_parameter", "invalid_type", "out_of_range", "invalid_format",
            "unknown_value", "duplicate", "invalid_id", "invalid_timestamp", "timestamp_out_of_range", "invalid_day",
            "invalid_url", "invalid_amount", "too_many_decimals", "unknown_currency", "unknown_cycle",
            "invalid_user_id", "invalid_cursor", "invalid_characters", "blank", "invisible_characters",
            "too_many_marks", "invalid_utf8", "unterminated_quote", "misplaced_quote", "wrong_field_count",
            "not_found", "same_item", "id_taken", "too_many_aliases", "not_held", "not_in_future", "built_in"
        ]
      },
      "FieldProblem": {
        "description": "One value that is wrong.",
        "type": "object",
        "properties": {
          "pointer": {
            "description": "A JSON Pointer fragment such as `#/suggestions/3/name`, or the name of a query parameter.",
            "type": "string"
          },
          "code": {"$ref": "#/components/schemas/FaultCode"},
          "detail": {"type": "string", "minLength": 1}
        },
        "required": ["pointer", "code", "detail"],
        "additionalProperties": false
      },
      "Problem": {
        "description": "An error as RFC 9457 describes it.",
        "type": "object",
        "properties": {
          "type": {
            "description": "The page that explains the code, relative to the server.",
            "type": "string",
            "format": "uri-reference",
            "pattern": "^/problems/[a-z_]+$"
          },
          "title": {"description": "The same for every problem of the code.", "type": "string", "minLength": 1},
          "status": {"type": "integer", "minimum": 400, "maximum": 599},
          "detail": {"description": "One sentence about this case.", "type": "string", "minLength": 1},
          "code": {"$ref": "#/components/schemas/ProblemCode"},
          "request_id": {"description": "The value of `X-Request-Id`.", "type": "string", "pattern": "^[!-~]{1,128}$"},
          "errors": {
            "description": "With `validation_failed`: every value that is wrong, the first 100 of them.",
            "type": "array",
            "minItems": 1,
            "maxItems": 100,
            "items": {"$ref": "#/components/schemas/FieldProblem"}
          },
          "errors_omitted": {
            "description": "How many more values are wrong than `errors` names; absent when it names all.",
            "type": "integer",
            "minimum": 1
          },
          "causes": {
            "description": "At `/ingest/…` only: the same in the words of the Sentry protocol.",
            "type": "array",
            "minItems": 1,
            "items": {"type": "string"}
          }
        },
        "required": ["type", "title", "status", "detail", "code", "request_id"],
        "additionalProperties": false
      },
      "Permission": {
        "type": "string",
        "enum": [
          "catalogue.read", "catalogue.write", "suggestions.moderate", "metrics.read", "crashes.write",
          "alerts.read", "alerts.write", "audit.read", "access.manage"
        ]
      },
      "OwnToken": {
        "description": "The token that a call carries.",
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/ID"},
          "name": {"$ref": "#/components/schemas/Name"},
          "role": {"$ref": "#/components/schemas/RoleName"},
          "permissions": {"type": "array", "items": {"$ref": "#/components/schemas/Permission"}},
          "expires_at": {"anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]}
        },
        "required": ["id", "name", "role", "permissions", "expires_at"],
        "additionalProperties": false
      },
      "CategoryPage": {
        "type": "object",
        "properties": {
          "items": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "name": {"$ref": "#/components/schemas/Category"},
                "count": {"description": "Items of the category.", "type": "integer", "minimum": 1}
              },
              "required": ["name", "count"],
              "additionalProperties": false
            }
          },
          "next_cursor": {
            "description": "Send it back as `cursor` for the next page; null on the last one.",
            "type": ["string", "null"],
            "minLength": 1
          }
        },
        "required": ["items", "next_cursor"],
        "additionalProperties": false
      },
      "RoleName": {"type": "string", "minLength": 1, "maxLength": 40, "pattern": "^[a-z][a-z0-9_]*$"},
      "AccessToken": {
        "description": "A token without its secret.",
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/ID"},
          "name": {"$ref": "#/components/schemas/Name"},
          "role": {"$ref": "#/components/schemas/RoleName"},
          "permissions": {"type": "array", "items": {"$ref": "#/components/schemas/Permission"}},
          "begins": {
            "description": "Its first characters, to tell it from others.",
            "type": "string",
            "pattern": "^sgt_[A-Za-z0-9_-]{4}$"
          },
          "status": {"enum": ["valid", "expired", "revoked"]},
          "created_at": {"$ref": "#/components/schemas/Instant"},
          "expires_at": {"anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]},
          "last_used_at": {"anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]},
          "revoked_at": {"anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]}
        },
        "required": [
          "id", "name", "role", "permissions", "begins", "status", "created_at", "expires_at", "last_used_at",
          "revoked_at"
        ],
        "additionalProperties": false
      },
      "CreatedAccessToken": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/ID"},
          "name": {"$ref": "#/components/schemas/Name"},
          "role": {"$ref": "#/components/schemas/RoleName"},
          "permissions": {"type": "array", "items": {"$ref": "#/components/schemas/Permission"}},
          "begins": {
            "description": "Its first characters, to tell it from others.",
            "type": "string",
            "pattern": "^sgt_[A-Za-z0-9_-]{4}$"
          },
          "status": {"enum": ["valid", "expired", "revoked"]},
          "created_at": {"$ref": "#/components/schemas/Instant"},
          "expires_at": {"anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]},
          "last_used_at": {"anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]},
          "revoked_at": {"anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]},
          "token": {
            "description": "The secret, shown this once.",
            "type": "string",
            "pattern": "^sgt_[A-Za-z0-9_-]{43}$"
          }
        },
        "required": [
          "id", "name", "role", "permissions", "begins", "status", "created_at", "expires_at", "last_used_at",
          "revoked_at", "token"
        ],
        "additionalProperties": false
      },
      "AccessTokenPage": {
        "description": "A page of tokens.",
        "type": "object",
        "properties": {
          "items": {"type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/AccessToken"}},
          "next_cursor": {
            "description": "Send it back as `cursor` for the next page; null on the last one.",
            "type": ["string", "null"],
            "minLength": 1
          }
        },
        "required": ["items", "next_cursor"],
        "additionalProperties": false
      },
      "NewAccessToken": {
        "type": "object",
        "properties": {
          "name": {"$ref": "#/components/schemas/Name"},
          "role": {"$ref": "#/components/schemas/RoleName"},
          "expires_at": {"anyOf": [{"$ref": "#/components/schemas/GivenInstant"}, {"type": "null"}]}
        },
        "required": ["name", "role"],
        "additionalProperties": false
      },
      "Role": {
        "type": "object",
        "properties": {
          "name": {"$ref": "#/components/schemas/RoleName"},
          "permissions": {"type": "array", "items": {"$ref": "#/components/schemas/Permission"}},
          "built_in": {"type": "boolean"}
        },
        "required": ["name", "permissions", "built_in"],
        "additionalProperties": false
      },
      "RoleList": {
        "description": "All roles; there is one page.",
        "type": "object",
        "properties": {
          "items": {"type": "array", "items": {"$ref": "#/components/schemas/Role"}},
          "next_cursor": {"type": "null"}
        },
        "required": ["items", "next_cursor"],
        "additionalProperties": false
      },
      "RoleListChange": {
        "type": "object",
        "properties": {
          "items": {
            "type": "array",
            "maxItems": 54,
            "items": {
              "type": "object",
              "properties": {
                "name": {"$ref": "#/components/schemas/RoleName"},
                "permissions": {
                  "type": "array",
                  "minItems": 1,
                  "uniqueItems": true,
                  "items": {"$ref": "#/components/schemas/Permission"}
                },
                "built_in": {"type": "boolean"}
              },
              "required": ["name", "permissions"],
              "additionalProperties": false
            }
          },
          "next_cursor": {"type": "null"}
        },
        "required": ["items"],
        "additionalProperties": false
      },
      "AuditEntry": {
        "type": "object",
        "properties": {
          "sequence": {"type": "integer", "minimum": 1},
          "happened_at": {"$ref": "#/components/schemas/Instant"},
          "actor": {
            "description": "The token's name, or who used the command line. In the history of an item null without the permission `audit.read`.",
            "type": ["string", "null"]
          },
          "token_id": {"anyOf": [{"$ref": "#/components/schemas/ID"}, {"type": "null"}]},
          "request_id": {"type": ["string", "null"]},
          "action": {"description": "`<area>.<verb>`.", "type": "string", "minLength": 1},
          "subject_id": {"anyOf": [{"$ref": "#/components/schemas/ID"}, {"type": "null"}]},
          "before": {
            "description": "The state before; null where there was none.",
            "type": ["object", "array", "null"]
          },
          "after": {
            "description": "The state after; null where there is none any more.",
            "type": ["object", "array", "null"]
          },
          "hash": {
            "description": "SHA-256 over the row before and this one.",
            "type": "string",
            "pattern": "^[0-9a-f]{64}$"
          }
        },
        "required": [
          "sequence", "happened_at", "actor", "token_id", "request_id", "action", "subject_id", "before", "after",
          "hash"
        ],
        "additionalProperties": false
      },
      "AuditPage": {
        "description": "A page of the audit log.",
        "type": "object",
        "properties": {
          "items": {"type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/AuditEntry"}},
          "next_cursor": {
            "description": "Send it back as `cursor` for the next page; null on the last one.",
            "type": ["string", "null"],
            "minLength": 1
          }
        },
        "required": ["items", "next_cursor"],
        "additionalProperties": false
      },
      "Merge": {
        "type": "object",
        "properties": {
          "duplicate_ids": {
            "type": "array",
            "minItems": 1,
            "maxItems": 50,
            "uniqueItems": true,
            "items": {"$ref": "#/components/schemas/GivenID"}
          }
        },
        "required": ["duplicate_ids"],
        "additionalProperties": false
      },
      "Undo": {
        "type": "object",
        "properties": {"sequence": {"description": "Of the change in the history.", "type": ["integer", "null"]}},
        "additionalProperties": false
      },
      "Duplicate": {
        "type": "object",
        "properties": {
          "score": {"type": "integer", "minimum": 0, "maximum": 100},
          "reasons": {"type": "array", "items": {"enum": ["same_name", "similar_name", "same_website"]}},
          "items": {
            "type": "array",
            "minItems": 2,
            "maxItems": 2,
            "items": {"$ref": "#/components/schemas/AdminCatalogueItem"}
          }
        },
        "required": ["score", "reasons", "items"],
        "additionalProperties": false
      },
      "DuplicatePage": {
        "description": "A page of pairs.",
        "type": "object",
        "properties": {
          "items": {"type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/Duplicate"}},
          "next_cursor": {
            "description": "Send it back as `cursor` for the next page; null on the last one.",
            "type": ["string", "null"],
            "minLength": 1
          }
        },
        "required": ["items", "next_cursor"],
        "additionalProperties": false
      },
      "FailedRow": {
        "type": "object",
        "properties": {
          "row": {
            "description": "Line of a CSV file, or place in a JSON array, from 1.",
            "type": "integer",
            "minimum": 1
          },
          "errors": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/FieldProblem"}}
        },
        "required": ["row", "errors"],
        "additionalProperties": false
      },
      "ImportReport": {
        "type": "object",
        "properties": {
          "dry_run": {"type": "boolean"},
          "applied": {"type": "boolean"},
          "rows": {"type": "integer", "minimum": 1},
          "inserted": {"type": "integer", "minimum": 0},
          "updated": {"type": "integer", "minimum": 0},
          "unchanged": {"type": "integer", "minimum": 0},
          "failed": {
            "description": "The first rows that failed, with 100 faults in all.",
            "type": "array",
            "maxItems": 100,
            "items": {"$ref": "#/components/schemas/FailedRow"}
          },
          "failed_omitted": {
            "description": "How many more rows failed; absent when `failed` has all.",
            "type": "integer",
            "minimum": 1
          },
          "errors_omitted": {
            "description": "How many more faults the rows have; absent when `failed` names all.",
            "type": "integer",
            "minimum": 1
          }
        },
        "required": ["dry_run", "applied", "rows", "inserted", "updated", "unchanged", "failed"],
        "additionalProperties": false
      },
      "ImportList": {
        "type": "object",
        "properties": {
          "items": {
            "type": "array",
            "maxItems": 20,
            "items": {
              "type": "object",
              "properties": {
                "id": {"$ref": "#/components/schemas/ID"},
                "state": {"enum": ["running", "done", "refused", "failed"]},
                "dry_run": {"type": "boolean"},
                "rows": {"type": "integer", "minimum": 1},
                "percent": {"type": "integer", "minimum": 0, "maximum": 100},
                "started_at": {"$ref": "#/components/schemas/Instant"},
                "finished_at": {"anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]}
              },
              "required": ["id", "state", "dry_run", "rows", "percent", "started_at", "finished_at"],
              "additionalProperties": false
            }
          },
          "next_cursor": {"type": "null"}
        },
        "required": ["items", "next_cursor"],
        "additionalProperties": false
      },
      "CatalogueFile": {
        "type": "object",
        "properties": {
          "items": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "id": {"$ref": "#/components/schemas/ID"},
                "name": {"$ref": "#/components/schemas/Name"},
                "slug": {"$ref": "#/components/schemas/Slug"},
                "category": {"$ref": "#/components/schemas/Category"},
                "typical_amount": {"$ref": "#/components/schemas/Amount"},
                "currency": {"$ref": "#/components/schemas/Currency"},
                "billing_cycle": {"$ref": "#/components/schemas/BillingCycle"},
                "website": {"anyOf": [{"$ref": "#/components/schemas/WebLink"}, {"type": "null"}]},
                "cancel_url": {"anyOf": [{"$ref": "#/components/schemas/WebLink"}, {"type": "null"}]},
                "notice_days": {"type": ["integer", "null"], "minimum": 0, "maximum": 365},
                "aliases": {"type": "array", "maxItems": 20, "items": {"$ref": "#/components/schemas/Name"}}
              },
              "required": [
                "id", "name", "slug", "category", "typical_amount", "currency", "billing_cycle", "website",
                "cancel_url", "notice_days", "aliases"
              ],
              "additionalProperties": false
            }
          }
        },
        "required": ["items"],
        "additionalProperties": false
      },
      "SuggestionGroup": {
        "description": "Suggestions of one name.",
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/ID"},
          "name": {"$ref": "#/components/schemas/Name"},
          "status": {"enum": ["pending", "approved", "rejected"]},
          "count": {"type": "integer", "minimum": 1},
          "first_seen_at": {"$ref": "#/components/schemas/Instant"},
          "last_seen_at": {"$ref": "#/components/schemas/Instant"},
          "item_id": {"anyOf": [{"$ref": "#/components/schemas/ID"}, {"type": "null"}]},
          "decided_at": {"anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]},
          "mixed_scripts": {
            "description": "Whether one word of the name has letters of several alphabets that look alike, such as a Cyrillic `е` among Latin letters. Look twice before approving it.",
            "type": "boolean"
          },
          "scripts": {
            "description": "The alphabets with such letters that occur in the name.",
            "type": "array",
            "items": {"enum": ["Latin", "Cyrillic", "Greek", "Armenian", "Cherokee", "Coptic"]},
            "uniqueItems": true
          },
          "nearest_item": {
            "anyOf": [
              {
                "type": "object",
                "properties": {
                  "id": {"$ref": "#/components/schemas/ID"},
                  "name": {"$ref": "#/components/schemas/Name"},
                  "score": {"type": "integer", "minimum": 0, "maximum": 100}
                },
                "required": ["id", "name", "score"],
                "additionalProperties": false
              },
              {"type": "null"}
            ]
          }
        },
        "required": [
          "id", "name", "status", "count", "first_seen_at", "last_seen_at", "item_id", "decided_at", "mixed_scripts",
          "scripts", "nearest_item"
        ],
        "additionalProperties": false
      },
      "SuggestionGroupPage": {
        "description": "A page of suggestions.",
        "type": "object",
        "properties": {
          "items": {"type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/SuggestionGroup"}},
          "next_cursor": {
            "description": "Send it back as `cursor` for the next page; null on the last one.",
            "type": ["string", "null"],
            "minLength": 1
          }
        },
        "required": ["items", "next_cursor"],
        "additionalProperties": false
      },
      "SuggestedItem": {
        "description": "As a new item; without `name` it is the suggested one.",
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/GivenID"},
          "name": {"$ref": "#/components/schemas/Name"},
          "slug": {"$ref": "#/components/schemas/Slug"},
          "category": {"$ref": "#/components/schemas/Category"},
          "typical_amount": {"$ref": "#/components/schemas/Amount"},
          "currency": {"$ref": "#/components/schemas/Currency"},
          "billing_cycle": {"$ref": "#/components/schemas/BillingCycle"},
          "website": {"anyOf": [{"$ref": "#/components/schemas/WebLink"}, {"type": "null"}]},
          "cancel_url": {"anyOf": [{"$ref": "#/components/schemas/WebLink"}, {"type": "null"}]},
          "notice_days": {"type": ["integer", "null"], "minimum": 0, "maximum": 365},
          "aliases": {
            "type": "array",
            "maxItems": 20,
            "uniqueItems": true,
            "items": {"$ref": "#/components/schemas/Name"}
          }
        },
        "required": ["category", "typical_amount", "currency", "billing_cycle"],
        "additionalProperties": false
      },
      "SuggestionMerge": {
        "type": "object",
        "properties": {"merge_into": {"$ref": "#/components/schemas/GivenID"}},
        "required": ["merge_into"],
        "additionalProperties": false
      },
      "DecidedSuggestion": {
        "type": "object",
        "properties": {
          "suggestion": {"$ref": "#/components/schemas/SuggestionGroup"},
          "item": {"anyOf": [{"$ref": "#/components/schemas/AdminCatalogueItem"}, {"type": "null"}]}
        },
        "required": ["suggestion", "item"],
        "additionalProperties": false
      },
      "Bulk": {
        "type": "object",
        "properties": {
          "ids": {
            "type": "array",
            "minItems": 1,
            "maxItems": 500,
            "uniqueItems": true,
            "items": {"$ref": "#/components/schemas/GivenID"}
          },
          "action": {
            "description": "`approve` makes each name an alias of its nearest item.",
            "enum": ["approve", "reject", "reopen", "delete"]
          },
          "reason": {
            "description": "Why, for the audit log. 1 to 500 characters without control characters; white space around it is cut off.",
            "type": ["string", "null"],
            "minLength": 1,
            "maxLength": 500,
            "pattern": "^[\\u0009-\\u000D\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]*[^\\u0000-\\u001F\\u007F-\\u009F\\u0020\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000](?:[^\\u0000-\\u001F\\u007F-\\u009F]{0,498}[^\\u0000-\\u001F\\u007F-\\u009F\\u0020\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000])?[\\u0009-\\u000D\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]*$"
          }
        },
        "required": ["ids", "action"],
        "additionalProperties": false
      },
      "BulkResults": {
        "type": "object",
        "properties": {
          "results": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "id": {"$ref": "#/components/schemas/ID"},
                "result": {
                  "enum": [
                    "approved", "rejected", "reopened", "deleted", "not_found", "already_decided", "no_nearest_item",
                    "too_many_aliases"
                  ]
                }
              },
              "required": ["id", "result"],
              "additionalProperties": false
            }
          }
        },
        "required": ["results"],
        "additionalProperties": false
      },
      "Privacy": {
        "type": "object",
        "properties": {
          "generated_at": {"$ref": "#/components/schemas/Instant"},
          "definition": {"type": "string"},
          "events": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {"name": {"type": "string"}, "properties": {"type": "array", "items": {"type": "string"}}},
              "required": ["name", "properties"],
              "additionalProperties": false
            }
          },
          "tables": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "table": {"type": "string"},
                "purpose": {"type": "string"},
                "concerns": {"enum": ["accounts", "devices", "operators", "nobody"]},
                "retention": {"type": "string"},
                "rows": {"type": "integer", "minimum": 0},
                "rows_are_exact": {"type": "boolean"},
                "last_purged_at": {"anyOf": [{"$ref": "#/components/schemas/Instant"}, {"type": "null"}]},
                "fields": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "name": {"type": "string"},
                      "type": {"type": "string"},
                      "meaning": {"type": ["string", "null"]}
                    },
                    "required": ["name", "type", "meaning"],
                    "additionalProperties": false
                  }
                }
              },
              "required": [
                "table", "purpose", "concerns", "retention", "rows", "rows_are_exact", "last_purged_at", "fields"
              ],
              "additionalProperties": false
            }
          },
          "never_stored": {"type": "array", "items": {"type": "string"}}
        },
        "required": ["generated_at", "definition", "events", "tables", "never_stored"],
        "additionalProperties": false
      }
    }
  }
}

"""##
}
