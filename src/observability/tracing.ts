// Makes OpenTelemetry traces: a span for each request, below the client's span if the client sends one, and a span for each statement.
import type { IncomingHttpHeaders } from 'node:http';
import { context, propagation, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { Observation } from './observation';

const NAME = 'print-farm-gateway';

export class Tracing {
  private constructor(
    private readonly tracer: Tracer,
    /** Sends the spans that have not been sent yet. */
    readonly close: () => Promise<void>,
  ) {}

  /** The exporter itself reads the other standard variables of OpenTelemetry, such as OTEL_EXPORTER_OTLP_HEADERS. */
  static async open(url: string): Promise<Tracing> {
    // These packages are loaded only if traces are configured, because loading takes 0.1 s.
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    const { detectResources, envDetector, resourceFromAttributes } = await import('@opentelemetry/resources');
    const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
    const provider = new NodeTracerProvider({
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence over NAME.
      resource: resourceFromAttributes({ 'service.name': NAME }).merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
    });
    provider.register();
    return new Tracing(provider.getTracer(NAME), () => provider.shutdown());
  }

  startRequest(headers: IncomingHttpHeaders): Span {
    const parent = propagation.extract(context.active(), headers);
    return this.tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
  }

  endRequest({ id, operation, span }: Observation, method: string, route: string, status: number): void {
    if (!span) return;
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

  /** The text has placeholders instead of values, so that a trace contains no data of the farm. */
  startStatement(parent: Span, text: string): Span {
    return this.tracer.startSpan(
      // The name is the method of the store. For a statement that Prisma wrote, it is the model and the action.
      /^\/\* (\S+) \*\//.exec(text)?.[1] ?? /\/\*query='([^']+)'\*\/$/.exec(text)?.[1] ?? 'SQL',
      { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql', 'db.query.text': text } },
      trace.setSpan(context.active(), parent),
    );
  }

  endStatement(span: Span, failure: unknown): void {
    if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }
}
