// A provider for tests: its objects are files in a folder, so that a test can compare what exists
// with what a state names. An object begins to exist at the very end of its creation.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

const address = "example.test/signalbox/drill"

func main() {
	options := providerserver.ServeOpts{Address: address}
	if err := providerserver.Serve(context.Background(), func() provider.Provider { return &drill{} }, options); err != nil {
		log.Fatal(err)
	}
}

type drill struct{}

type configuration struct {
	World types.String `tfsdk:"world"`
	Token types.String `tfsdk:"token"`
}

func (*drill) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = "drill"
}

func (*drill) Schema(_ context.Context, _ provider.SchemaRequest, response *provider.SchemaResponse) {
	response.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"world": schema.StringAttribute{Required: true},
		"token": schema.StringAttribute{Optional: true, Sensitive: true},
	}}
}

func (*drill) Configure(ctx context.Context, request provider.ConfigureRequest, response *provider.ConfigureResponse) {
	var given configuration
	response.Diagnostics.Append(request.Config.Get(ctx, &given)...)
	here := &world{folder: given.World.ValueString(), token: given.Token.ValueString()}
	response.ResourceData = here
	response.EphemeralResourceData = here
}

func (*drill) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return &object{} }}
}

func (*drill) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (*drill) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{func() ephemeral.EphemeralResource { return &password{} }}
}
