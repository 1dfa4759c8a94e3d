// Traces by OpenTelemetry: a span for every request, below the caller's own where it sends one, and one for each statement.
import type { IncomingHttpHeaders } from 'node:http';
import { context, propagation, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';

const NAME = 'print-farm-gateway';

export class Tracing {
  private constructor(
    private readonly tracer: Tracer,
    /** Sends what has not been sent yet. */
    readonly close: () => Promise<void>,
  ) {}

  /** The exporter reads the standard's other variables, such as OTEL_EXPORTER_OTLP_HEADERS, itself. */
  static async open(url: string): Promise<Tracing> {
    // Loaded when they are needed alone: it takes a tenth of a second.
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    const { detectResources, envDetector, resourceFromAttributes } = await import('@opentelemetry/resources');
    const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
    const provider = new NodeTracerProvider({
      // What OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say goes before the name given here.
      resource: resourceFromAttributes({ 'service.name': NAME }).merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
    });
    provider.register();
    return new Tracing(provider.getTracer(NAME), () => provider.shutdown());
  }

  beginRequest(headers: IncomingHttpHeaders): Span {
    const parent = propagation.extract(context.active(), headers);
    return this.tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
  }

  endRequest(
    span: Span,
    answered: {
      id: string;
      method: string;
      route: string;
      status: number;
      operation: { type: string; name: string } | undefined;
    },
  ): void {
    const { id, method, route, status, operation } = answered;
    span.updateName(operation ? `${operation.type} ${operation.name}`.trim() : `${method} ${route}`);
    span.setAttributes({
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'request.id': id,
      ...(operation && { 'graphql.operation.type': operation.type, 'graphql.operation.name': operation.name }),
    });
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  /** The text has places for values, never the values. */
  beginStatement(parent: Span, text: string): Span {
    return this.tracer.startSpan(
      /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL',
      { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql', 'db.query.text': text } },
      trace.setSpan(context.active(), parent),
    );
  }

  endStatement(span: Span, failure: unknown): void {
    if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }
}
